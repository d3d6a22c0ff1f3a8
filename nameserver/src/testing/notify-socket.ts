import { rmSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { loadFfi } from '../ffi.ts'

const unixFamily = 1
const datagrams = 2
const dontWait = 0x40

/** Stands in for systemd at NOTIFY_SOCKET. Returns a function that takes the next message, or undefined if none has arrived. */
export function listenAsSystemd(test: TestContext, path: string): () => string | undefined {
  const ffi = loadFfi()
  const { functions } = ffi.dlopen(null, {
    socket: { arguments: ['i32', 'i32', 'i32'], return: 'i32' },
    bind: { arguments: ['i32', 'u64', 'u32'], return: 'i32' },
    recv: { arguments: ['i32', 'u64', 'u64', 'i32'], return: 'i64' },
    close: { arguments: ['i32'], return: 'i32' },
  })
  const socket = functions.socket(unixFamily, datagrams, 0)
  const address = new Uint8Array(110)
  address[0] = unixFamily
  address.set(Buffer.from(path), 2)
  if (functions.bind(socket, ffi.getRawPointer(address.buffer), 3 + path.length) !== 0)
    throw new Error(`${path} cannot be bound`)
  test.after(() => {
    functions.close(socket)
    rmSync(path)
  })
  const buffer = new Uint8Array(4_096)
  return () => {
    const length = functions.recv(socket, ffi.getRawPointer(buffer.buffer), BigInt(buffer.length), dontWait)
    return length < 0n ? undefined : Buffer.from(buffer.subarray(0, Number(length))).toString()
  }
}
