import { isIP } from 'node:net'

/** An address and port that something listens on. `host` is an IP address, or a host name where one makes sense. */
export interface Endpoint {
  readonly host: string
  readonly port: number
}

/** Parses `127.0.0.1:5388` or `[::1]:5388`; `undefined` if the text is neither. */
export function parseEndpoint(text: string): Endpoint | undefined {
  const match = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text)
  if (!match) return undefined
  const [, bracketed, plain, digits] = match
  const host = bracketed ?? plain ?? ''
  const port = Number(digits)
  if (port > 65535 || (bracketed !== undefined && isIP(bracketed) !== 6)) return undefined
  return { host, port }
}

export function endpointToText({ host, port }: Endpoint): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`
}
