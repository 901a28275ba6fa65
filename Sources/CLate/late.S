/* An entry for each function of names.h: jumps to where the function is, or has its library loaded first,
   with the arguments kept. */

#define LIBRARY(file, package)
#define NAME(name) entry name

.macro begin name
    .globl \name
    .hidden \name
    .type \name, %function
    .p2align 4
\name:
    .cfi_startproc
.endm

.macro end name
    .cfi_endproc
    .size \name, . - \name
    .set number, number + 1
.endm

    .text
    .set number, 0

#if defined(__x86_64__)

.macro entry name
    begin \name
    movq late_slots + 8 * number(%rip), %r11
    testq %r11, %r11
    jz 1f
    jmp *%r11
1:  movl $number, %r11d
    jmp late_resolve
    end \name
.endm

#include "names.h"

/* What a function takes: six words, how many vectors (%al), eight vectors. */
    begin late_resolve
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    subq $192, %rsp
    andq $-16, %rsp
    movq %rdi, 128(%rsp)
    movq %rsi, 136(%rsp)
    movq %rdx, 144(%rsp)
    movq %rcx, 152(%rsp)
    movq %r8, 160(%rsp)
    movq %r9, 168(%rsp)
    movq %rax, 176(%rsp)
    movups %xmm0, (%rsp)
    movups %xmm1, 16(%rsp)
    movups %xmm2, 32(%rsp)
    movups %xmm3, 48(%rsp)
    movups %xmm4, 64(%rsp)
    movups %xmm5, 80(%rsp)
    movups %xmm6, 96(%rsp)
    movups %xmm7, 112(%rsp)
    movl %r11d, %edi
    call late_find
    movq %rax, %r11
    movups (%rsp), %xmm0
    movups 16(%rsp), %xmm1
    movups 32(%rsp), %xmm2
    movups 48(%rsp), %xmm3
    movups 64(%rsp), %xmm4
    movups 80(%rsp), %xmm5
    movups 96(%rsp), %xmm6
    movups 112(%rsp), %xmm7
    movq 128(%rsp), %rdi
    movq 136(%rsp), %rsi
    movq 144(%rsp), %rdx
    movq 152(%rsp), %rcx
    movq 160(%rsp), %r8
    movq 168(%rsp), %r9
    movq 176(%rsp), %rax
    leave
    .cfi_def_cfa %rsp, 8
    jmp *%r11
    end late_resolve

#elif defined(__aarch64__)

/* A jump by x16 is taken for a call where the kernel watches over jumps (BTI); x9 has the number. */
.macro entry name
    begin \name
    adrp x16, late_slots + 8 * number
    add x16, x16, #:lo12:late_slots + 8 * number
    ldar x16, [x16]
    cbz x16, 1f
    br x16
1:  mov w9, #number
    b late_resolve
    end \name
.endm

#include "names.h"

/* What a function takes: eight words, where to put a large result, eight vectors. */
    begin late_resolve
    stp x29, x30, [sp, #-224]!
    .cfi_def_cfa_offset 224
    .cfi_offset x29, -224
    .cfi_offset x30, -216
    mov x29, sp
    stp x0, x1, [sp, #16]
    stp x2, x3, [sp, #32]
    stp x4, x5, [sp, #48]
    stp x6, x7, [sp, #64]
    str x8, [sp, #80]
    stp q0, q1, [sp, #96]
    stp q2, q3, [sp, #128]
    stp q4, q5, [sp, #160]
    stp q6, q7, [sp, #192]
    mov w0, w9
    bl late_find
    mov x16, x0
    ldp q0, q1, [sp, #96]
    ldp q2, q3, [sp, #128]
    ldp q4, q5, [sp, #160]
    ldp q6, q7, [sp, #192]
    ldp x0, x1, [sp, #16]
    ldp x2, x3, [sp, #32]
    ldp x4, x5, [sp, #48]
    ldp x6, x7, [sp, #64]
    ldr x8, [sp, #80]
    ldp x29, x30, [sp], #224
    .cfi_def_cfa_offset 0
    br x16
    end late_resolve

#else
#error "late.S knows x86-64 and arm64"
#endif

    .section .note.GNU-stack, "", %progbits
