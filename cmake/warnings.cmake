# Warnings are errors in our own code; pliant_warnings(target) switches them on.
function(pliant_warnings target)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
        -Wno-missing-field-initializers -Wunused -Wundef -Wcast-align -Wvla)
    if(PLIANT_WERROR)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # g++ 12 warns about the calling convention of 32-byte vectors that never leave a function, and
        # takes "text" + std::string for overlapping copies (its bug 105329) and moved optionals and variants
        # for uninitialized ones; clang and the sanitizers look for the real thing.
        target_compile_options(${target} PRIVATE -Wno-psabi -Wno-restrict -Wno-maybe-uninitialized)
    endif()
endfunction()
