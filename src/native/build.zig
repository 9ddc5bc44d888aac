//! The header as a library of Zig's package manager: module.linkLibrary(b.dependency("footbridge", .{}).artifact("footbridge"))
//! brings the functions and footbridge.h for translate-c. Written from the documentation of Zig 0.14 to 0.16.
const std = @import("std");

pub fn build(b: *std.Build) void {
    const module = b.createModule(.{
        .target = b.standardTargetOptions(.{}),
        .optimize = b.standardOptimizeOption(.{}),
        .link_libc = true,
    });
    const source = b.addWriteFiles().add("footbridge.c", "#include \"footbridge.h\"\n");
    module.addCSourceFile(.{ .file = source, .flags = &.{ "-std=gnu99", "-DFB_IMPLEMENTATION" } });
    module.addIncludePath(b.path("."));
    const library = b.addLibrary(.{ .name = "footbridge", .root_module = module, .linkage = .static });
    library.installHeader(b.path("footbridge.h"), "footbridge.h");
    b.installArtifact(library);
}
