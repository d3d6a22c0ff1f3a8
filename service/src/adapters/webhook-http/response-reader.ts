import { quoted, SendFailure, shownText } from './failure.ts'

/** Maximum number of header bytes in one response (design: webhooks, "The request"). */
const maxHeaderBytes = 64 * 1024
/** Maximum number of interim responses that are skipped before the final one. With one more, the attempt fails. */
const maxInterim = 10

/** The status line and the headers of the final response. */
export interface ResponseHead {
  readonly status: number
  /** Names in lower case. An array if a name occurs more than once. */
  readonly headers: Readonly<Record<string, string | string[]>>
  /** Whether the connection may be used again once the body has been read. */
  readonly isKept: boolean
}

/** How the end of the body is determined (RFC 9112 §6.3). */
type Framing = { readonly kind: 'length'; left: number } | { readonly kind: 'chunked' } | { readonly kind: 'close' }

const lf = 0x0a
/** The beginning of every status line of HTTP/1.1 and 1.0. */
const httpName = 'HTTP/1.'

/**
 * Reads one HTTP/1.1 response from the bytes of a connection (RFC 9112), and says in one sentence how a receiver breaks the protocol.
 *
 * Strict where a lenient reader could disagree with another one about where the response ends: line ends are CRLF, there is one
 * Content-Length, and never one together with Transfer-Encoding. Interim (1xx) responses are skipped, except 101, which ends the exchange.
 */
export class ResponseReader {
  /** Undefined until the headers of the final response are complete. */
  head: ResponseHead | undefined
  /** The body without its chunked coding, up to the maximum that is kept. */
  readonly body: Buffer[] = []
  /** The response is complete. */
  isDone = false
  /** Interim responses so far. */
  interim = 0
  /** Bytes of a response, including an interim one, have arrived. Empty lines before it do not count. */
  hasBegun = false

  readonly #maxBodyBytes: number
  #bodyBytes = 0
  /** The line that is being read: one character for each byte. */
  #line = ''
  #headerBytes = 0
  #status: number | undefined
  #isHttp10 = false
  #headers: [name: string, value: string][] = []
  #framing: Framing = { kind: 'close' }
  readonly #chunks = new ChunkReader()

  /** @param maxBodyBytes the maximum of a body that is kept; `isFull` says when it has arrived */
  constructor(maxBodyBytes: number) {
    this.#maxBodyBytes = maxBodyBytes
  }

  /** All of the body that is kept has arrived. */
  get isFull(): boolean {
    return this.#bodyBytes >= this.#maxBodyBytes
  }

  /** Takes the next bytes. Throws a SendFailure if they violate HTTP. Once there is a `head`, the failure is only about the body. */
  push(chunk: Buffer): void {
    let at = 0
    while (this.head === undefined) {
      const end = chunk.indexOf(lf, at)
      const next = end === -1 ? chunk.length : end + 1
      this.#headerBytes += next - at
      if (this.#headerBytes > maxHeaderBytes) throw tooLarge()
      this.#addToLine(chunk.toString('latin1', at, end === -1 ? next : end))
      if (end === -1) return
      const line = this.#line
      this.#line = ''
      this.#readLine(line)
      at = next
    }
    if (this.isDone) this.#finish(chunk.length - at)
    else this.#content(chunk.subarray(at))
  }

  /** The receiver has closed its side, which completes a body without a length. */
  end(): void {
    if (this.head !== undefined && !this.isDone) this.isDone = this.#framing.kind === 'close'
  }

  /** A status line is judged by its first bytes: a receiver that speaks another protocol may never end its line. */
  #addToLine(part: string): void {
    const before = this.#line.length
    this.#line += part
    // Each byte is read once, however small the parts are: only the beginning is checked.
    if (this.#status !== undefined || before >= httpName.length) return
    if (this.#line === '' || this.#line === '\r') return
    this.hasBegun = true
    if (!httpName.startsWith(this.#line.slice(0, httpName.length))) throw notHttp(statusFault(this.#line))
  }

  #readLine(line: string): void {
    const hasCr = line.endsWith('\r')
    const text = hasCr ? line.slice(0, -1) : line
    // Empty lines before a response are the rest of a previous body that was sent with one line too many (RFC 9112 §2.2).
    if (this.#status === undefined && text === '') return
    const isStatusLine = this.#status === undefined
    if (isStatusLine) this.#statusLine(text)
    if (!hasCr) throw notHttp(`a line ends with LF instead of CRLF: ${quoted(text)}`)
    if (isStatusLine) return
    if (text === '') this.#headersEnd()
    else this.#headers.push(readHeader(text, this.#headers.length === 0))
  }

  #statusLine(text: string): void {
    const [, version, code = ''] = /^HTTP\/(1\.[01]) (\d{3})(?: .*)?$/s.exec(text) ?? []
    if (version === undefined) throw notHttp(statusFault(text))
    if (control.test(text)) throw notHttp(`its status line has a control character: ${quoted(text)}`)
    if (code < '100') throw notHttp(`its status code is ${code}`)
    this.#status = Number(code)
    this.#isHttp10 = version === '1.0'
  }

  #headersEnd(): void {
    const status = this.#status as number
    if (status < 200 && status !== 101) {
      this.interim += 1
      if (this.interim > maxInterim)
        throw new SendFailure(
          'status',
          `The receiver sent more than ${maxInterim} interim (1xx) responses and no final one.`,
        )
      this.#status = undefined
      this.#headers = []
      this.#headerBytes = 0
      return
    }
    const headers = groupHeaders(this.#headers)
    const framing = framingOf(status, headers)
    const isKept = framing !== undefined && framing.kind !== 'close' && status !== 101 && !this.#isClosing(headers)
    this.head = { status, headers: Object.fromEntries(headers), isKept }
    if (framing === undefined || (framing.kind === 'length' && framing.left === 0)) this.isDone = true
    else this.#framing = framing
  }

  #isClosing(headers: Grouped): boolean {
    const options = [headers.get('connection') ?? []]
      .flat()
      .join(',')
      .toLowerCase()
      .split(',')
      .map((one) => one.trim())
    return this.#isHttp10
      ? !options.includes('keep-alive') || headers.has('transfer-encoding')
      : options.includes('close')
  }

  #content(bytes: Buffer): void {
    const framing = this.#framing
    if (framing.kind === 'chunked') {
      const { isDone, rest } = this.#chunks.push(bytes, (content) => this.#take(content))
      if (isDone) this.#finish(rest)
    } else if (framing.kind === 'length') {
      this.#take(bytes.subarray(0, framing.left))
      const rest = bytes.length - framing.left
      framing.left -= Math.min(bytes.length, framing.left)
      if (framing.left === 0) this.#finish(rest)
    } else this.#take(bytes)
  }

  #take(content: Buffer): void {
    const wanted = content.subarray(0, this.#maxBodyBytes - this.#bodyBytes)
    if (wanted.length === 0) return
    this.body.push(wanted)
    this.#bodyBytes += wanted.length
  }

  /** Bytes after the response belong to no response, so the connection is not used again. */
  #finish(rest: number): void {
    this.isDone = true
    if (rest > 0 && this.head) this.head = { ...this.head, isKept: false }
  }
}

/** The chunked coding (RFC 9112 §7.1). Its errors are about the body, which never changes the outcome. */
class ChunkReader {
  #line = ''
  #left = 0
  #state: 'size' | 'data' | 'dataEnd' | 'trailer' = 'size'
  #trailerBytes = 0

  /** `rest`: bytes after the end of the body. */
  push(bytes: Buffer, take: (content: Buffer) => void): { isDone: boolean; rest: number } {
    let at = 0
    while (at < bytes.length) {
      if (this.#state === 'data') {
        const content = bytes.subarray(at, at + this.#left)
        take(content)
        at += content.length
        this.#left -= content.length
        if (this.#left === 0) this.#state = 'dataEnd'
        continue
      }
      const end = bytes.indexOf(lf, at)
      this.#line += bytes.toString('latin1', at, end === -1 ? bytes.length : end)
      if (this.#line.length > maxHeaderBytes) throw notHttp('a line of its chunked body is too long')
      if (end === -1) break
      at = end + 1
      const line = this.#line.replace(/\r$/, '')
      this.#line = ''
      if (this.#endsWith(line)) return { isDone: true, rest: bytes.length - at }
    }
    return { isDone: false, rest: 0 }
  }

  /** True: this line ends the body. */
  #endsWith(line: string): boolean {
    if (this.#state === 'trailer') {
      this.#trailerBytes += line.length
      if (this.#trailerBytes > maxHeaderBytes) throw tooLarge()
      return line === ''
    }
    if (this.#state === 'dataEnd') {
      if (line !== '') throw notHttp('a chunk of its body is longer than its size says')
      this.#state = 'size'
      return false
    }
    const [, size] = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/i.exec(line) ?? []
    if (size === undefined) throw notHttp(`a chunk of its body has no valid size: ${quoted(line)}`)
    this.#left = Number.parseInt(size, 16)
    this.#state = this.#left === 0 ? 'trailer' : 'data'
    return false
  }
}

type Grouped = Map<string, string | string[]>

function groupHeaders(headers: readonly (readonly [string, string])[]): Grouped {
  const grouped: Grouped = new Map()
  for (const [name, value] of headers) {
    const before = grouped.get(name)
    if (before === undefined) grouped.set(name, value)
    else if (typeof before === 'string') grouped.set(name, [before, value])
    else before.push(value)
  }
  return grouped
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const control = /[\x00-\x08\x0a-\x1f\x7f]/

function readHeader(text: string, isFirst: boolean): [name: string, value: string] {
  const colon = text.indexOf(':')
  if (/^[ \t]/.test(text))
    throw notHttp(
      isFirst ? 'there is white space before the first header' : `a header is folded over two lines: ${quoted(text)}`,
    )
  if (colon === -1) throw notHttp(`a header has no colon: ${quoted(text)}`)
  const name = text.slice(0, colon)
  const value = trimmed(text, colon + 1)
  if (!token.test(name)) throw notHttp(`the name of a header is not valid: ${quoted(name)}`)
  if (control.test(value))
    throw notHttp(`the header ${shownText(name)} has a control character in its value: ${quoted(value)}`)
  return [name.toLowerCase(), fromLatin1(value)]
}

/** The text from an index on, without surrounding spaces and tabs. Linear: a pattern would scan each run of spaces many times. */
function trimmed(text: string, from: number): string {
  let start = from
  let end = text.length
  while (start < end && isBlank(text[start])) start += 1
  while (end > start && isBlank(text[end - 1])) end -= 1
  return text.slice(start, end)
}

function isBlank(char: string | undefined): boolean {
  return char === ' ' || char === '\t'
}

function fromLatin1(value: string): string {
  return /^[\x00-\x7f]*$/.test(value) ? value : Buffer.from(value, 'latin1').toString('utf8')
}

/** Undefined: there is no body, whatever the headers say. */
function framingOf(status: number, headers: Grouped): Framing | undefined {
  const length = headers.get('content-length')
  const coding = headers.get('transfer-encoding')
  if (Array.isArray(length)) throw notHttp(`${length.length === 2 ? 'two' : length.length} Content-Length headers`)
  if (length !== undefined && coding !== undefined)
    throw notHttp('it has both a Content-Length and a Transfer-Encoding header')
  if (length !== undefined && !(/^\d+$/.test(length) && Number.isSafeInteger(Number(length))))
    throw notHttp(`its Content-Length is not a number: ${quoted(length)}`)
  if (status === 101 || status === 204 || status === 304)
    // A body that is sent anyway would be read as the next response.
    return length === undefined && coding === undefined ? { kind: 'length', left: 0 } : undefined
  if (coding !== undefined) {
    const codings = [coding].flat().join(',').toLowerCase().split(',')
    return { kind: codings.at(-1)?.trim() === 'chunked' ? 'chunked' : 'close' }
  }
  return length === undefined ? { kind: 'close' } : { kind: 'length', left: Number(length) }
}

/** What is wrong with a line, or with its first part, that should be a status line. */
function statusFault(text: string): string {
  if (/^HTTP\/1\.[01] \d{3}\S/.test(text)) return `its status code is not three digits: ${quoted(text)}`
  if (/^HTTP\/1\.[01]/.test(text)) return `its status line is not valid: ${quoted(text)}`
  if (isHttp2(text)) return 'it is HTTP/2'
  const [, version] = /^HTTP\/(\d[\d.]*)/.exec(text) ?? []
  if (version !== undefined) return `its status line says HTTP/${shownText(version)}`
  return `it begins with ${quoted(text.endsWith('\r') ? text.slice(0, -1) : text)}`
}

/** A server that speaks HTTP/2 begins with a SETTINGS frame (RFC 9113 §3.4), or with the preface if it acts as a client. */
function isHttp2(text: string): boolean {
  return /^\0..\x04\0\0{4}/s.test(text) || text.startsWith('PRI * HTTP/2')
}

function notHttp(what: string): SendFailure {
  return new SendFailure('connect', `The answer is not HTTP/1.1: ${what}.`)
}

function tooLarge(): SendFailure {
  return new SendFailure('too_large', `The headers of the answer are larger than ${maxHeaderBytes / 1024} KiB.`)
}
