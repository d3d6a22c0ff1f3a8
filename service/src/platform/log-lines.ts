// The same file as nameserver/src/log-lines.ts: the nameserver imports nothing from the service (tools/copies.test.ts).
import { fstatSync, write, writeSync } from 'node:fs'
import { isatty } from 'node:tty'

/** Bytes of lines that may wait to be written. */
const maxWaitingBytes = 1 << 20
/** How long a write that is in progress when the process exits may take. */
const lastWriteMs = 50
/** How long a line for a pipe may wait for others. */
const gatherMs = 5

/** A place for log lines. No one waits for it, and it never throws. */
export interface LogLines {
  write(lines: string): void
  /** Lines that could not be written: the disk is full, no one reads the pipe, or its other end is closed. */
  readonly dropped: number
}

let opened: LogLines | undefined

/** This process's standard error, as a place for log lines. */
export function standardError(): LogLines {
  opened ??= openStandardError()
  return opened
}

function openStandardError(): LogLines {
  // Without a listener, a stream that fails ends the process; also standard output, which has the line that says that it is ready.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  const lines = isFile(2) ? new FileLines(2) : new StreamLines(process.stderr)
  process.on('exit', () => lines.writeLast())
  return lines
}

/** Also a device such as /dev/full: only pipes, sockets and terminals are left to Node's streams. */
function isFile(fd: number): boolean {
  const stat = fstatSync(fd)
  return stat.isFile() || (stat.isCharacterDevice() && !isatty(fd))
}

/**
 * Lines that are added to a file, in the background and one write at a time. What the disk refuses is dropped; the lines after it are
 * written once there is room again.
 */
export class FileLines implements LogLines {
  readonly #fd: number
  #waiting: string[] = []
  #waitingBytes = 0
  #isWriting = false
  /** The file ends within a line. */
  #isTorn = false
  #dropped = 0

  constructor(fd: number) {
    this.#fd = fd
  }

  get dropped(): number {
    return this.#dropped
  }

  write(lines: string): void {
    if (this.#waitingBytes + lines.length > maxWaitingBytes) {
      this.#dropped += lineCount(Buffer.from(lines))
      return
    }
    this.#waiting.push(lines)
    this.#waitingBytes += lines.length
    if (!this.#isWriting) this.#writeWaiting()
  }

  #takeWaiting(): Buffer {
    const bytes = Buffer.from((this.#isTorn ? '\n' : '') + this.#waiting.join(''))
    this.#waiting = []
    this.#waitingBytes = 0
    this.#isTorn = false
    return bytes
  }

  #writeWaiting(): void {
    if (this.#waiting.length === 0) return
    this.#isWriting = true
    this.#writeFrom(this.#takeWaiting(), 0)
  }

  #writeFrom(bytes: Buffer, at: number): void {
    write(this.#fd, bytes, at, bytes.length - at, null, (error, written) => {
      const end = error ? at : at + written
      if (!error && end < bytes.length) {
        this.#writeFrom(bytes, end)
        return
      }
      if (error) {
        // Only what follows a torn line begins with a line break.
        this.#isTorn = end > 0 ? bytes[end - 1] !== newline : bytes[0] === newline
        this.#dropped += lineCount(bytes.subarray(end)) - (end === 0 && this.#isTorn ? 1 : 0)
      }
      this.#isWriting = false
      this.#writeWaiting()
    })
  }

  /** Writes what waits while the process exits. */
  writeLast(): void {
    if (this.#isWriting) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lastWriteMs)
    if (this.#waiting.length === 0) return
    try {
      writeSync(this.#fd, this.#takeWaiting())
    } catch {
      // The disk is full: no one is left to read the count.
    }
  }
}

/**
 * Lines for a pipe, a socket or a terminal. Node writes to these without waiting, and keeps what they do not take. Lines within
 * `gatherMs` share one write, because a write costs more than creating a line.
 */
export class StreamLines implements LogLines {
  readonly #stream: NodeJS.WritableStream & { readonly writableLength: number }
  #waiting: string[] = []
  #waitingBytes = 0
  #dropped = 0

  constructor(stream: NodeJS.WritableStream & { readonly writableLength: number }) {
    this.#stream = stream
  }

  get dropped(): number {
    return this.#dropped
  }

  write(lines: string): void {
    const isTooMuch = this.#stream.writableLength + this.#waitingBytes + lines.length > maxWaitingBytes
    if (!this.#stream.writable || isTooMuch) {
      this.#drop(lines)
      return
    }
    // The timer does not keep the process alive. At its exit, `writeLast` writes the lines that are waiting.
    if (this.#waiting.length === 0) setTimeout(() => this.writeLast(), gatherMs).unref()
    this.#waiting.push(lines)
    this.#waitingBytes += lines.length
  }

  /** Writes what waits. */
  writeLast(): void {
    if (this.#waiting.length === 0) return
    const lines = this.#waiting.join('')
    this.#waiting = []
    this.#waitingBytes = 0
    this.#stream.write(lines, (error) => {
      if (error) this.#drop(lines)
    })
  }

  #drop(lines: string): void {
    this.#dropped += lineCount(Buffer.from(lines))
  }
}

const newline = 0x0a

function lineCount(bytes: Uint8Array): number {
  let count = 0
  for (const byte of bytes) if (byte === newline) count++
  return count
}
