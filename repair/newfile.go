package repair

import (
	"hash"
	"io"
)

// copyChunk is how many bytes are copied at a time: between two of them a repair can
// be interrupted.
const copyChunk = 64 << 20

// newFile is a file that is being written. It lets the system copy what comes from
// another file, so that no byte of it has to pass through the process, and file systems
// that can share the blocks do.
type newFile struct {
	File
	fs FS
	// sum, when set, gets the bytes that the file is to hold.
	sum hash.Hash
}

// Write implements io.Writer.
func (f *newFile) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	if f.sum != nil {
		f.sum.Write(p[:n])
	}
	return n, err
}

// ReadFrom implements io.ReaderFrom, which io.Copy and bufio.Writer look for.
func (f *newFile) ReadFrom(r io.Reader) (int64, error) {
	if section, ok := r.(*io.SectionReader); ok {
		src, off, size := section.Outer()
		if file, _ := fileOf(src); file != nil {
			at, err := section.Seek(0, io.SeekCurrent)
			if err != nil {
				return 0, err
			}
			return f.copyFrom(src, Range{off + at, size - at})
		}
	}
	return io.Copy(struct{ io.Writer }{f}, r)
}

// fileOf returns the file that src reads, nil when it is none. An error says that it
// is not to be read any more.
func fileOf(src io.ReaderAt) (File, error) {
	switch src := src.(type) {
	case *openLog:
		return src.file, src.ctx.Err()
	case File:
		return src, nil
	}
	return nil, nil
}

// copyFrom copies a range of a file. The sum is that of the source, so that the new
// file still has to prove that it holds the same.
func (f *newFile) copyFrom(src io.ReaderAt, r Range) (n int64, err error) {
	for n < r.Len {
		part := Range{r.FileOff + n, min(r.Len-n, copyChunk)}
		file, err := fileOf(src)
		if err == nil && f.sum != nil {
			_, err = io.Copy(f.sum, io.NewSectionReader(src, part.FileOff, part.Len))
		}
		if err == nil {
			err = f.fs.Copy(f.File, file, part)
		}
		if err != nil {
			return n, err
		}
		n += part.Len
	}
	return n, nil
}
