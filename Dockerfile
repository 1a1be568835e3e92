# Both programs and nothing else: no shell, no libraries, no root. turnlint, which only reads, is what runs.
FROM --platform=$BUILDPLATFORM golang:1.26.8 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG TARGETOS TARGETARCH
# Standard input is kept in a file below /tmp while it is read.
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -ldflags="-s -w" -o /image/usr/bin/ ./cmd/... && \
    cp LICENSE /image/ && \
    mkdir -m 1777 /image/tmp

FROM scratch
COPY --from=build /image/ /
USER 65532:65532
WORKDIR /logs
ENTRYPOINT ["/usr/bin/turnlint"]
CMD ["."]
