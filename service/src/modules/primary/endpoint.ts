import { isIP } from 'node:net'

/** An address and port to listen on or to send to. */
export interface Endpoint {
  /** IPv4 or IPv6 address, without brackets. */
  readonly host: string
  readonly port: number
}

/** Reads `127.0.0.1:5301` or `[::1]:5301`; undefined for anything else, including host names. */
export function parseEndpoint(text: string): Endpoint | undefined {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+)):(\d{1,5})$/.exec(text)
  const host = match?.[1] ?? match?.[2] ?? ''
  const port = Number(match?.[3])
  if (isIP(host) !== (match?.[1] === undefined ? 4 : 6) || !(port <= 65_535)) return undefined
  // IPv6 addresses have many spellings; answers arrive with the shortest one (RFC 5952).
  return { host: isIP(host) === 6 ? new URL(`http://[${host}]`).hostname.slice(1, -1) : host, port }
}

export function endpointToText({ host, port }: Endpoint): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`
}
