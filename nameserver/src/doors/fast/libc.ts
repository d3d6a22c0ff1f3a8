import { loadFfi } from '../../ffi.ts'

// The functions of the C library that the fast door needs, called through `node:ffi`. Addresses are bigints, and layouts are those of 64-bit Linux.

/** Like the C library, each call returns -1 on failure, and `errorNumber` then returns the reason. */
export interface Libc {
  socket(family: number, type: number, protocol: number): number
  setsockopt(socket: number, level: number, option: number, value: bigint, length: number): number
  bind(socket: number, address: bigint, length: number): number
  connect(socket: number, address: bigint, length: number): number
  getsockname(socket: number, address: bigint, length: bigint): number
  getsockopt(socket: number, level: number, option: number, value: bigint, length: bigint): number
  fcntl(socket: number, command: number, value: number): number
  shutdown(socket: number, how: number): number
  close(socket: number): number
  /** Blocks this thread, including its event loop and `process.exit`. */
  recvmmsg(socket: number, headers: bigint, count: number, flags: number, timeout: bigint): number
  sendmmsg(socket: number, headers: bigint, count: number, flags: number): number
  /** The `errno` of the previous call. There must be no other call in between. */
  errorNumber(): number
  /** The address of a buffer. The memory does not move. The caller must keep the buffer alive. */
  addressOf(memory: ArrayBuffer): bigint
}

/** @throws Error if there is no FFI, or if the C library is a different one. */
export function openLibc(): Libc {
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) {
    throw new Error(`there is no fast door for ${process.platform} on ${process.arch}`)
  }
  const ffi = loadFfi()
  // Opens the process itself, which is linked to the C library, whatever the name of its file.
  const { functions } = ffi.dlopen(null, {
    socket: { arguments: ['i32', 'i32', 'i32'], return: 'i32' },
    setsockopt: { arguments: ['i32', 'i32', 'i32', 'u64', 'u32'], return: 'i32' },
    bind: { arguments: ['i32', 'u64', 'u32'], return: 'i32' },
    connect: { arguments: ['i32', 'u64', 'u32'], return: 'i32' },
    getsockname: { arguments: ['i32', 'u64', 'u64'], return: 'i32' },
    getsockopt: { arguments: ['i32', 'i32', 'i32', 'u64', 'u64'], return: 'i32' },
    fcntl: { arguments: ['i32', 'i32', 'i32'], return: 'i32' },
    shutdown: { arguments: ['i32', 'i32'], return: 'i32' },
    close: { arguments: ['i32'], return: 'i32' },
    recvmmsg: { arguments: ['i32', 'u64', 'u32', 'i32', 'u64'], return: 'i32' },
    sendmmsg: { arguments: ['i32', 'u64', 'u32', 'i32'], return: 'i32' },
    __errno_location: { arguments: [], return: 'u64' },
  })
  const { __errno_location: errorLocation, ...calls } = functions
  return {
    ...calls,
    errorNumber: () => ffi.getInt32(errorLocation()),
    addressOf: (memory) => ffi.getRawPointer(memory),
  }
}
