import { createSocket } from 'node:dgram'
import { connect, isIPv6 } from 'node:net'
import { FrameReader, frame } from '@zonewright/dns'

export interface ServerAddress {
  readonly host: string
  readonly port: number
}

/** Sends a query from a port of its own and waits for a message that `read` accepts; undefined when none came in time. */
export function exchangeUdp<T>(
  { host, port }: ServerAddress,
  query: Uint8Array,
  timeoutMs: number,
  read: (wire: Uint8Array) => T | undefined,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
    let isOver = false
    const end = (answer: T | undefined): void => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      socket.close()
      resolve(answer)
    }
    const timer = setTimeout(() => end(undefined), timeoutMs)
    socket.on('error', () => end(undefined))
    socket.on('message', (wire) => {
      const answer = read(wire)
      if (answer !== undefined) end(answer)
    })
    // Connected: the kernel passes on what comes from this server alone, and tells when nobody listens there.
    socket.connect(port, host, () => socket.send(query))
  })
}

/** The same over a TCP connection of its own. */
export function exchangeTcp<T>(
  { host, port }: ServerAddress,
  query: Uint8Array,
  timeoutMs: number,
  read: (wire: Uint8Array) => T | undefined,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    const end = (answer: T | undefined): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(answer)
    }
    const timer = setTimeout(() => end(undefined), timeoutMs)
    const frames = new FrameReader()
    socket.on('error', () => end(undefined))
    socket.on('end', () => end(undefined))
    socket.on('data', (bytes: Buffer) => {
      for (const wire of frames.feed(bytes)) {
        const answer = read(wire)
        if (answer !== undefined) end(answer)
      }
    })
    socket.write(frame(query))
  })
}
