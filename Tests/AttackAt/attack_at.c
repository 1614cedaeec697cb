// Puts something else in the place of a file right before the n-th operation of a process by the file's name.
//
// Loaded by LD_PRELOAD on Linux. MODELCTL_ATTACK_FOLDER is the folder in which files are replaced, with what is below it, but
// not what lies in a folder that only its owner may enter. MODELCTL_ATTACK_AT is n; without it nothing is replaced.
// MODELCTL_ATTACK_KIND is the replacement: link (to MODELCTL_ATTACK_TARGET), pipe or file. MODELCTL_ATTACK_LOG names a file
// that gets a line with the operation and the place for each operation.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long count;
static long limit;
static const char *folder, *kind, *target;
static int log_file = -1;
static _Thread_local int is_inside;

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void begin(void) {
  const char *text = getenv("MODELCTL_ATTACK_AT");
  limit = text ? atol(text) : 0;
  folder = getenv("MODELCTL_ATTACK_FOLDER");
  kind = getenv("MODELCTL_ATTACK_KIND");
  target = getenv("MODELCTL_ATTACK_TARGET");
  const char *log = getenv("MODELCTL_ATTACK_LOG");
  if (log) log_file = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

// The place that a name leads to, as far as its folder; 0 where it is none of those that are attacked.
static int place_of(const char *path, char *place) {
  char parent[PATH_MAX], resolved[PATH_MAX];
  if (!folder || !path || strlen(path) >= PATH_MAX) return 0;
  strcpy(parent, path);
  char *slash = strrchr(parent, '/');
  const char *name = slash ? slash + 1 : path;
  char last[PATH_MAX];
  strcpy(last, name);
  if (slash) slash[slash == parent ? 1 : 0] = 0;
  if (!realpath(slash ? parent : ".", resolved)) return 0;
  size_t length = strlen(folder);
  if (strncmp(resolved, folder, length) != 0 || (resolved[length] != 0 && resolved[length] != '/')) return 0;
  if (last[0] == 0 || strcmp(last, ".") == 0 || strcmp(last, "..") == 0) return 0;
  // Nobody else can put anything into a folder of mode 700 below.
  struct stat status;
  for (char *end = resolved + strlen(resolved); end > resolved + length; end = strrchr(resolved, '/')) {
    *end = 0;
    if (stat(resolved, &status) == 0 && (status.st_mode & 077) == 0) return 0;
    if (!strrchr(resolved, '/')) break;
  }
  if (!realpath(slash ? parent : ".", resolved)) return 0;
  return snprintf(place, PATH_MAX, "%s/%s", resolved, last) < PATH_MAX;
}

static void replace(const char *place) {
  struct stat status;
  if (syscall(SYS_newfstatat, AT_FDCWD, place, &status, AT_SYMLINK_NOFOLLOW) == 0) {
    // A folder stays.
    if (S_ISDIR(status.st_mode)) return;
    syscall(SYS_unlinkat, AT_FDCWD, place, 0);
  }
  if (strcmp(kind, "link") == 0) syscall(SYS_symlinkat, target, AT_FDCWD, place);
  if (strcmp(kind, "pipe") == 0) syscall(SYS_mknodat, AT_FDCWD, place, S_IFIFO | 0666, 0);
  if (strcmp(kind, "file") == 0) {
    int file = (int)syscall(SYS_openat, AT_FDCWD, place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) return;
    (void)!syscall(SYS_write, file, "another file", 12);
    syscall(SYS_close, file);
  }
}

static void operation(const char *name, const char *path) {
  char place[PATH_MAX], line[PATH_MAX + 64];
  int saved = errno;
  if (!is_inside && folder) {
    is_inside = 1;
    if (place_of(path, place)) {
      long number = atomic_fetch_add(&count, 1) + 1;
      if (log_file >= 0) {
        int length = snprintf(line, sizeof line, "%s %s\n", name, place);
        (void)!syscall(SYS_write, log_file, line, (size_t)length);
      }
      if (number == limit && kind && target) replace(place);
    }
    is_inside = 0;
  }
  errno = saved;
}

#define ONE_NAME(RESULT, NAME, PARAMETERS, ARGUMENTS)      \
  RESULT NAME PARAMETERS {                                 \
    static RESULT(*call) PARAMETERS;                       \
    if (!call) call = (RESULT(*) PARAMETERS)real(#NAME);   \
    operation(#NAME, path);                                \
    return call ARGUMENTS;                                 \
  }
ONE_NAME(int, unlink, (const char *path), (path))
ONE_NAME(int, rmdir, (const char *path), (path))
ONE_NAME(int, remove, (const char *path), (path))
ONE_NAME(int, mkdir, (const char *path, mode_t mode), (path, mode))
ONE_NAME(int, chmod, (const char *path, mode_t mode), (path, mode))
ONE_NAME(int, chown, (const char *path, uid_t owner, gid_t group), (path, owner, group))
ONE_NAME(int, lchown, (const char *path, uid_t owner, gid_t group), (path, owner, group))
ONE_NAME(int, truncate, (const char *path, off_t size), (path, size))
ONE_NAME(FILE *, fopen, (const char *path, const char *mode), (path, mode))
ONE_NAME(DIR *, opendir, (const char *path), (path))

// The new name is what somebody can take before.
#define TWO_NAMES(NAME)                                                               \
  int NAME(const char *old, const char *path) {                                       \
    static int (*call)(const char *, const char *);                                   \
    if (!call) call = (int (*)(const char *, const char *))real(#NAME);               \
    operation(#NAME, old);                                                            \
    operation(#NAME, path);                                                           \
    return call(old, path);                                                           \
  }
TWO_NAMES(rename)
TWO_NAMES(link)
TWO_NAMES(symlink)

#define OPEN(NAME)                                                    \
  int NAME(const char *path, int flags, ...) {                        \
    static int (*call)(const char *, int, ...);                       \
    if (!call) call = (int (*)(const char *, int, ...))real(#NAME);   \
    va_list arguments;                                                \
    va_start(arguments, flags);                                       \
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;    \
    va_end(arguments);                                                \
    operation(#NAME, path);                                           \
    return call(path, flags, mode);                                   \
  }
OPEN(open)
OPEN(open64)
