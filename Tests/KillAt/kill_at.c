// Ends a process, as kill -9 does, right before its n-th operation that changes a file.
//
// Loaded by LD_PRELOAD on Linux. MODELCTL_KILL_AT is n; without it nothing is ended. MODELCTL_KILL_COUNT names a file
// that gets the number of operations when the process ends by itself.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long count;
static long limit = -1;

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void begin(void) {
  const char *text = getenv("MODELCTL_KILL_AT");
  limit = text ? atol(text) : 0;
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("MODELCTL_KILL_COUNT");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%ld\n", atomic_load(&count));
  fclose(file);
}

static void operation(void) {
  if (atomic_fetch_add(&count, 1) + 1 == limit) kill(getpid(), SIGKILL);
}

// Of a write that is not to come the first half has come.
#define WRITE(NAME, OFFSET)                                                            \
  ssize_t NAME(int file, const void *bytes, size_t size, OFFSET offset) {              \
    static ssize_t (*call)(int, const void *, size_t, OFFSET);                         \
    if (!call) call = (ssize_t(*)(int, const void *, size_t, OFFSET))real(#NAME);      \
    if (atomic_load(&count) + 1 == limit) (void)!call(file, bytes, size / 2, offset);  \
    operation();                                                                       \
    return call(file, bytes, size, offset);                                            \
  }
WRITE(pwrite, off_t)
WRITE(pwrite64, off64_t)

#define SIZE(NAME, OFFSET)                                            \
  int NAME(int file, OFFSET size) {                                   \
    static int (*call)(int, OFFSET);                                  \
    if (!call) call = (int (*)(int, OFFSET))real(#NAME);              \
    operation();                                                      \
    return call(file, size);                                          \
  }
SIZE(ftruncate, off_t)
SIZE(ftruncate64, off64_t)

#define DESCRIPTOR(NAME)                                  \
  int NAME(int file) {                                    \
    static int (*call)(int);                              \
    if (!call) call = (int (*)(int))real(#NAME);          \
    operation();                                          \
    return call(file);                                    \
  }
DESCRIPTOR(fsync)
DESCRIPTOR(fdatasync)

int unlink(const char *path) {
  static int (*call)(const char *);
  if (!call) call = (int (*)(const char *))real("unlink");
  operation();
  return call(path);
}

#define TWO_NAMES(NAME)                                                               \
  int NAME(const char *path, const char *name) {                                      \
    static int (*call)(const char *, const char *);                                   \
    if (!call) call = (int (*)(const char *, const char *))real(#NAME);               \
    operation();                                                                      \
    return call(path, name);                                                          \
  }
TWO_NAMES(rename)
TWO_NAMES(link)

#define OPEN(NAME)                                                    \
  int NAME(const char *path, int flags, ...) {                        \
    static int (*call)(const char *, int, ...);                       \
    if (!call) call = (int (*)(const char *, int, ...))real(#NAME);   \
    va_list arguments;                                                \
    va_start(arguments, flags);                                       \
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;    \
    va_end(arguments);                                                \
    if (flags & O_CREAT) operation();                                 \
    return call(path, flags, mode);                                   \
  }
OPEN(open)
OPEN(open64)
