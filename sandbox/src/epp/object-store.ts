import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Kinds } from './objects.ts'

/** The result of a command, which is one line of the file. A null removes the object. */
type Change = readonly [kind: keyof Kinds, key: string, value: unknown]

/**
 * The registry's objects, in memory and in an append-only file. It has a line for each command that changed something, which is written before the
 * response. A start rewrites the file without removed objects.
 */
export class ObjectStore {
  readonly #maps: { readonly [K in keyof Kinds]: Map<string, Kinds[K]> } = {
    domain: new Map(),
    contact: new Map(),
    host: new Map(),
    registrar: new Map(),
    message: new Map(),
  }
  #counter = 0
  #changes: Change[] = []
  readonly #file: number | undefined

  /** Without a folder, nothing is stored. */
  constructor(folder?: string) {
    if (folder === undefined) return
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, 'objects.jsonl')
    if (existsSync(path)) this.#read(readFileSync(path, 'utf8'))
    writeFileSync(`${path}.new`, this.#whole(), { mode: 0o600 })
    renameSync(`${path}.new`, path)
    this.#file = openSync(path, 'a')
  }

  get<K extends keyof Kinds>(kind: K, key: string): Kinds[K] | undefined {
    return this.#maps[kind].get(key)
  }

  all<K extends keyof Kinds>(kind: K): Iterable<Kinds[K]> {
    return this.#maps[kind].values()
  }

  put<K extends keyof Kinds>(kind: K, key: string, value: Kinds[K]): void {
    this.#maps[kind].set(key, value)
    this.#changes.push([kind, key, value])
  }

  remove(kind: keyof Kinds, key: string): void {
    if (this.#maps[kind].delete(key)) this.#changes.push([kind, key, null])
  }

  /** A number that was never used before. */
  next(): number {
    this.#counter++
    return this.#counter
  }

  /** Atomically writes what has changed since the last time. */
  commit(): void {
    if (this.#changes.length === 0) return
    const line = `${JSON.stringify({ counter: this.#counter, changes: this.#changes })}\n`
    this.#changes = []
    if (this.#file !== undefined) writeSync(this.#file, line)
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
  }

  #read(text: string): void {
    for (const line of text.split('\n')) {
      const read = parsed(line)
      if (read === undefined) continue
      this.#counter = Math.max(this.#counter, read.counter)
      for (const [kind, key, value] of read.changes) {
        if (value === null) this.#maps[kind].delete(key)
        else this.#maps[kind].set(key, value as never)
      }
    }
  }

  #whole(): string {
    const changes = Object.entries(this.#maps).flatMap(([kind, map]) =>
      [...map].map(([key, value]) => [kind, key, value]),
    )
    return changes.length === 0 ? '' : `${JSON.stringify({ counter: this.#counter, changes })}\n`
  }
}

/** A last line that a crash has truncated is ignored, because its command got no response. */
function parsed(line: string): { counter: number; changes: Change[] } | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
