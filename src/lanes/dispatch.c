/* Which kernels there are here. */
#include "lanes.h"

lanes_kernel *lanes_kernel_of(int number) {
#if (defined(__x86_64__) || defined(__amd64__)) && (defined(__GNUC__) || defined(__clang__))
    __builtin_cpu_init();
    if (number == LANES_AVX512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
                       __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                       __builtin_cpu_supports("avx512bw") &&
                       __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("bmi2")
                   ? lanes_avx512
                   : NULL;
    if (number == LANES_AVX2)
        return __builtin_cpu_supports("avx2") ? lanes_avx2 : NULL;
#endif
    return number == LANES_PORTABLE ? lanes_portable : NULL;
}

const char *lanes_name_of(int number) {
    static const char *const names[LANES_KERNELS] = {"portable", "avx2", "avx512"};
    return number >= 0 && number < LANES_KERNELS ? names[number] : NULL;
}
