import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { isNightly } from '../../world/index.ts'
import { inRepository } from './deploy-files.ts'

/** A command of a page, and the output that the page shows; undefined: it shows none. */
export interface ShownCommand {
  /** The text after `sh` in the fence. */
  readonly name: string
  readonly text: string
  readonly prints: string | undefined
}

/** The command blocks of a page, also those in its lists, each with the text block that follows it before the next command block. */
export function commandsOf(page: string): ShownCommand[] {
  const blocks = [
    ...readFileSync(inRepository(page), 'utf8').matchAll(/^( *)```(\w+)(?: (\S+))?\n(.*?)^\1```$/gms),
  ].map(([, indent = '', language, name = '', text = '']) => ({
    language,
    name,
    text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }))
  return blocks.flatMap(({ language, name, text }, i) => {
    if (language !== 'sh') return []
    const next = blocks[i + 1]
    return [{ name, text, prints: next?.language === 'text' ? next.text : undefined }]
  })
}

/** Replaces the reader's values with the test's own. Each must be in one of the commands. */
export function inPlace(commands: readonly ShownCommand[], places: Readonly<Record<string, string>>): ShownCommand[] {
  const all = commands.map(({ text }) => text).join('')
  for (const place of Object.keys(places))
    if (!all.includes(place)) throw new Error(`No command says anything of ${place}.`)
  const put = (text: string): string =>
    Object.entries(places).reduce((done, [place, own]) => done.replaceAll(place, own), text)
  return commands.map(({ name, text, prints }) => ({
    name,
    text: put(text),
    prints: prints === undefined ? undefined : put(prints),
  }))
}

/** Shells that customers paste commands into, and how each is started so that it reads them like input from a person. */
const shells = {
  sh: ['-e', '-s'],
  // The shell of macOS. It is interactive, so it has no comments, and `!` expands its history.
  zsh: ['-f', '-e', '-i', '+o', 'promptsp', '-s'],
} as const

export type Shell = keyof typeof shells

/** The shells that the tests use. `npm run ci` uses only sh, to save time. */
export const shellNames: readonly Shell[] = isNightly ? (Object.keys(shells) as Shell[]) : ['sh']

/** No page takes this long. */
const patienceMs = 120_000
const end = '--- end of a command ---'

/**
 * Runs commands in one shell, one after the other, and returns what each printed. `before` has the actions of others, by the name of the command
 * before which they happen.
 *
 * @throws at the first command that fails, or that the shell cannot read unchanged.
 */
export async function runInShell(
  commands: readonly ShownCommand[],
  options: {
    readonly cwd: string
    readonly shell?: Shell
    readonly env?: Readonly<Record<string, string>>
    readonly before?: Readonly<Record<string, () => Promise<void>>>
    /** A shell that takes longer is killed. */
    readonly withinMs?: number
  },
): Promise<string[]> {
  const { cwd, shell = 'sh', before = {}, withinMs = patienceMs } = options
  const env = { ...process.env, PS1: '', PS2: '', ...options.env }
  const child = spawn(shell, shells[shell], { cwd, env, timeout: withinMs, killSignal: 'SIGKILL' })
  let printed = ''
  let complained = ''
  let isOver = (): void => undefined
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    if (printed.endsWith(`${end}\n`)) isOver()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complained += text
  })
  // Called after it has ended.
  child.stdin.on('error', () => undefined)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const all: string[] = []
  for (const { name, text } of commands) {
    await before[name]?.()
    const over = new Promise<void>((resolve) => {
      isOver = resolve
    })
    child.stdin.write(`${text}\nprintf '%s\\n' '${end}'\n`)
    const code = await Promise.race([over, ended.then((code) => ({ code }))])
    if (code !== undefined) throw new Error(`${shell} ended with ${code.code}:\n${text}\n${printed}\n${complained}`)
    all.push(printed.slice(0, -end.length - 1))
    printed = ''
  }
  child.stdin.end()
  await ended
  // An interactive shell continues after a command that it could not read.
  if (/^zsh: /m.test(complained)) throw new Error(complained)
  return all
}
