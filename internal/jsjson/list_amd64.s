//go:build !purego

#include "textflag.h"

// GATHER sets OUT to the top bits of the bytes of LOW and HIGH.
#define GATHER(LOW, HIGH, OUT, SCRATCH) \
	VPMOVMSKB LOW, OUT;     \
	VPMOVMSKB HIGH, SCRATCH; \
	SHLQ      $32, SCRATCH;  \
	ORQ       SCRATCH, OUT

// func markPairsAVX2(text *byte) (quotes, commas uint64)
// Requires: AVX, AVX2
TEXT ·markPairsAVX2(SB), NOSPLIT, $0-24
	MOVQ text+0(FP), SI

	MOVL         $0x2C22, AX // a comma and a quote
	VMOVD        AX, X0
	VPSRLDQ      $1, X0, X1
	VPBROADCASTB X0, Y0
	VPBROADCASTB X1, Y1
	VMOVDQU      (SI), Y2
	VMOVDQU      32(SI), Y3

	VPCMPEQB Y2, Y0, Y4
	VPCMPEQB Y3, Y0, Y5
	VPCMPEQB Y2, Y1, Y6
	VPCMPEQB Y3, Y1, Y7
	GATHER(Y4, Y5, AX, BX)
	GATHER(Y6, Y7, CX, DX)

	MOVQ AX, quotes+8(FP)
	MOVQ CX, commas+16(FP)
	VZEROUPPER
	RET

// func markDigitsAVX2(m *digitMarks, text *byte)
// Requires: AVX, AVX2
TEXT ·markDigitsAVX2(SB), NOSPLIT, $0-16
	MOVQ m+0(FP), DI
	MOVQ text+8(FP), SI

	MOVL         $0x092C30, AX // 9, a comma and a zero
	VMOVD        AX, X0
	VPSRLDQ      $1, X0, X1
	VPSRLDQ      $2, X0, X2
	VPBROADCASTB X0, Y0
	VPBROADCASTB X1, Y1
	VPBROADCASTB X2, Y2
	VMOVDQU      (SI), Y3
	VMOVDQU      32(SI), Y4

	// Less a zero, digits are not greater than 9 as unsigned bytes.
	VPSUBB   Y0, Y3, Y5
	VPSUBB   Y0, Y4, Y6
	VPMINUB  Y5, Y2, Y7
	VPMINUB  Y6, Y2, Y8
	VPCMPEQB Y5, Y7, Y7
	VPCMPEQB Y6, Y8, Y8
	GATHER(Y7, Y8, AX, BX)
	MOVQ     AX, (DI)

	VPCMPEQB Y3, Y1, Y7
	VPCMPEQB Y4, Y1, Y8
	GATHER(Y7, Y8, AX, BX)
	MOVQ     AX, 8(DI)

	// The low bits of the bytes of words move to the top of the bytes.
	VPSLLW $7, Y3, Y7
	VPSLLW $7, Y4, Y8
	GATHER(Y7, Y8, AX, BX)
	MOVQ   AX, 16(DI)
	VPSLLW $6, Y3, Y7
	VPSLLW $6, Y4, Y8
	GATHER(Y7, Y8, AX, BX)
	MOVQ   AX, 24(DI)
	VPSLLW $5, Y3, Y7
	VPSLLW $5, Y4, Y8
	GATHER(Y7, Y8, AX, BX)
	MOVQ   AX, 32(DI)
	VPSLLW $4, Y3, Y7
	VPSLLW $4, Y4, Y8
	GATHER(Y7, Y8, AX, BX)
	MOVQ   AX, 40(DI)

	VZEROUPPER
	RET
