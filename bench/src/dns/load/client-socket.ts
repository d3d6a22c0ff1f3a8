import { type Libc, openLibc } from '../../../../nameserver/src/doors/fast/libc.ts'
import { UdpSocket, writeSocketAddress } from '../../../../nameserver/src/doors/fast/udp-socket.ts'

/** The C library as the nameserver's fast door calls it, and the additional functions that a client needs. */
export interface ClientLibc extends Libc {
  connect(socket: number, address: bigint, length: number): number
}

export function openClientLibc(): ClientLibc {
  const libc = openLibc()
  const { functions } = process
    .getBuiltinModule('node:ffi')
    .dlopen(null, { connect: { arguments: ['i32', 'u64', 'u32'], return: 'i32' } })
  return { ...libc, connect: functions.connect }
}

/** A UDP socket of one client, connected to one server. */
export function openClientSocket(libc: ClientLibc, port: number): UdpSocket {
  const host = '127.0.0.1'
  const socket = UdpSocket.open(libc, { host, port: 0 })
  const memory = new ArrayBuffer(32)
  const length = writeSocketAddress(new DataView(memory), host, port)
  if (libc.connect(socket.descriptor, libc.addressOf(memory), length) !== 0) {
    throw new Error(`connect: errno ${libc.errorNumber()}`)
  }
  return socket
}
