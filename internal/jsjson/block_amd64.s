//go:build !purego

#include "textflag.h"

// The characters of canonical escapes by their nibbles: those with the high nibbles
// 2, 5, 6 and 7 have the bits 1, 2, 4 and 8 in both tables.
DATA lowNibbles<>+0(SB)/8, $0x00040008000D0000
DATA lowNibbles<>+8(SB)/8, $0x0004000200000000
GLOBL lowNibbles<>(SB), RODATA|NOPTR, $16

DATA highNibbles<>+0(SB)/8, $0x0804020000010000
DATA highNibbles<>+8(SB)/8, $0
GLOBL highNibbles<>(SB), RODATA|NOPTR, $16

// func markBlocksAVX2(marks *blockMarks, text *byte, blocks int)
// Requires: AVX, AVX2
TEXT ·markBlocksAVX2(SB), NOSPLIT, $0-24
	MOVQ marks+0(FP), DI
	MOVQ text+8(FP), SI
	MOVQ blocks+16(FP), CX

	// Y0 to Y3 hold 32 quotes, backslashes, spaces and 0x0F.
	MOVL           $0x0F205C22, AX
	VMOVD          AX, X0
	VPSRLDQ        $1, X0, X1
	VPSRLDQ        $2, X0, X2
	VPSRLDQ        $3, X0, X3
	VPBROADCASTB   X0, Y0
	VPBROADCASTB   X1, Y1
	VPBROADCASTB   X2, Y2
	VPBROADCASTB   X3, Y3
	VBROADCASTI128 lowNibbles<>(SB), Y4
	VBROADCASTI128 highNibbles<>(SB), Y5
	VPXOR          Y6, Y6, Y6
	MOVQ           $0x5555555555555555, R13 // even bits
	MOVQ           R13, R12
	SHLQ           $1, R12                  // odd bits
	XORL           R8, R8                   // 1 if the block before escapes the first byte

loop:
	VMOVDQU (SI), Y7
	VMOVDQU 32(SI), Y8

	// As signed bytes, those beyond ASCII and control characters are less than a space.
	VPCMPEQB  Y7, Y0, Y9
	VPCMPEQB  Y8, Y0, Y10
	VPCMPGTB  Y7, Y2, Y11
	VPCMPGTB  Y8, Y2, Y12
	VPOR      Y9, Y11, Y9
	VPOR      Y10, Y12, Y10
	VPMOVMSKB Y9, DX
	VPMOVMSKB Y10, BX
	SHLQ      $32, BX
	ORQ       BX, DX

	// AX gets the backslashes, R9 the escaped bytes as escapedBy does it.
	VPCMPEQB  Y7, Y1, Y9
	VPCMPEQB  Y8, Y1, Y10
	VPMOVMSKB Y9, AX
	VPMOVMSKB Y10, BX
	SHLQ      $32, BX
	ORQ       BX, AX
	MOVQ      AX, R9
	ORQ       R8, R9
	JZ        store
	MOVQ      R8, R10
	NOTQ      R10
	ANDQ      AX, R10
	LEAQ      (R8)(R10*2), R9
	MOVQ      R9, R11
	NOTQ      R11
	ANDQ      R12, R11
	ANDQ      R10, R11
	ADDQ      R10, R11
	SBBQ      R8, R8
	NEGQ      R8
	SHLQ      $1, R11
	XORQ      R13, R11
	ANDQ      R11, R9

	// A shuffle takes the low nibble of a byte, and makes 0 of a byte beyond ASCII.
	VPSHUFB   Y7, Y4, Y9
	VPSHUFB   Y8, Y4, Y10
	VPSRLW    $4, Y7, Y7
	VPSRLW    $4, Y8, Y8
	VPAND     Y7, Y3, Y7
	VPAND     Y8, Y3, Y8
	VPSHUFB   Y7, Y5, Y7
	VPSHUFB   Y8, Y5, Y8
	VPAND     Y7, Y9, Y7
	VPAND     Y8, Y10, Y8
	VPCMPEQB  Y7, Y6, Y7
	VPCMPEQB  Y8, Y6, Y8
	VPMOVMSKB Y7, AX
	VPMOVMSKB Y8, BX
	SHLQ      $32, BX
	ORQ       BX, AX

	// Escaped bytes stop where they are wrong, others where they are stops.
	ANDQ R9, AX
	MOVQ R9, BX
	NOTQ BX
	ANDQ BX, DX
	ORQ  AX, DX

store:
	MOVQ DX, (DI)
	MOVQ R9, 8(DI)
	ADDQ $64, SI
	ADDQ $16, DI
	DECQ CX
	JNZ  loop

	VZEROUPPER
	RET
