//go:build !purego

#include "textflag.h"

// GATHER sets OUT to the top bits of the bytes of LOW and HIGH.
#define GATHER(LOW, HIGH, OUT, SCRATCH) \
	VPMOVMSKB LOW, OUT;     \
	VPMOVMSKB HIGH, SCRATCH; \
	SHLQ      $32, SCRATCH;  \
	ORQ       SCRATCH, OUT

// func passElementsAVX2(text *byte, size int) (passed, separators int)
// Requires: AVX, AVX2, POPCNT
TEXT ·passElementsAVX2(SB), NOSPLIT, $0-32
	MOVQ text+0(FP), SI
	MOVQ size+8(FP), DX
	MOVQ SI, DI
	LEAQ -64(SI)(DX*1), DX // the last place of a block
	XORL R8, R8            // separators

	// Y0 to Y3 hold 32 quotes, commas, backslashes and spaces.
	MOVL         $0x205C2C22, AX
	VMOVD        AX, X0
	VPSRLDQ      $1, X0, X1
	VPSRLDQ      $2, X0, X2
	VPSRLDQ      $3, X0, X3
	VPBROADCASTB X0, Y0
	VPBROADCASTB X1, Y1
	VPBROADCASTB X2, Y2
	VPBROADCASTB X3, Y3

loop:
	CMPQ    SI, DX
	JHI     done
	VMOVDQU (SI), Y4
	VMOVDQU 32(SI), Y5

	// AX gets the quotes, BX the commas, R10 the bytes that are not plain: as signed
	// bytes, those beyond ASCII and control characters are less than a space.
	VPCMPEQB Y4, Y0, Y6
	VPCMPEQB Y5, Y0, Y7
	VPCMPEQB Y4, Y1, Y8
	VPCMPEQB Y5, Y1, Y9
	VPCMPEQB Y4, Y2, Y10
	VPCMPEQB Y5, Y2, Y11
	VPCMPGTB Y4, Y3, Y12
	VPCMPGTB Y5, Y3, Y13
	VPOR     Y10, Y12, Y10
	VPOR     Y11, Y13, Y11
	GATHER(Y6, Y7, AX, R9)
	GATHER(Y8, Y9, BX, R9)
	GATHER(Y10, Y11, R10, R9)

	// R11 gets the separators: a quote, a comma and a quote. Where two of them share a
	// quote, an element is a comma.
	MOVQ AX, R11
	SHRQ $2, R11
	ANDQ AX, R11
	SHRQ $1, BX
	ANDQ BX, R11
	MOVQ R11, R12
	SHRQ $2, R12
	ANDQ R11, R12
	JNZ  done

	// R12 gets what is neither in a separator nor plain.
	LEAQ (R11)(R11*4), R12
	XORQ AX, R12
	ORQ  R10, R12
	JNZ  stop
	POPCNTQ R11, R11
	ADDQ    R11, R8
	ADDQ    $64, SI
	JMP     loop

	// A block that begins there shows whether it is the start of a separator.
stop:
	BSFQ    R12, CX
	TESTQ   CX, CX
	JZ      done
	MOVQ    $-1, R13
	SHLQ    CX, R13
	NOTQ    R13
	ANDQ    R13, R11
	POPCNTQ R11, R11
	ADDQ    R11, R8
	ADDQ    CX, SI
	JMP     loop

done:
	SUBQ SI, DI
	NEGQ DI
	MOVQ DI, passed+16(FP)
	MOVQ R8, separators+24(FP)
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
