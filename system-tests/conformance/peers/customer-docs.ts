import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { inRepository } from './deploy-files.ts'

/** A command of a page, and what the page says that it prints; undefined: nothing is said. */
export interface ShownCommand {
  /** What stands after `sh` in the fence. */
  readonly name: string
  readonly text: string
  readonly prints: string | undefined
}

/** The blocks of a page that are commands, each with the text block that follows it before another one does. */
export function commandsOf(page: string): ShownCommand[] {
  const blocks = [...readFileSync(inRepository(page), 'utf8').matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)]
  return blocks.flatMap(([, language, name = '', text = ''], i) => {
    if (language !== 'sh') return []
    const next = blocks[i + 1]
    return [{ name, text, prints: next?.[1] === 'text' ? next[3] : undefined }]
  })
}

/** Puts the test's own things into the places of the reader's. Each must be in one of the commands. */
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

/** Runs commands in one shell, one after the other, and returns what each printed. Throws at the first that fails. */
export async function runInShell(
  commands: readonly ShownCommand[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<string[]> {
  const end = '--- end of a command ---'
  const script = commands.map(({ text }) => `${text}\nprintf '%s\\n' '${end}'\n`).join('')
  const child = spawn('sh', ['-e', '-s'], { cwd: options.cwd, env: { ...process.env, ...options.env } })
  let printed = ''
  let complained = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complained += text
  })
  child.stdin.end(script)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const parts = printed.split(`${end}\n`)
  if (code !== 0)
    throw new Error(`It ended with ${code}:\n${commands[parts.length - 1]?.text}\n${parts.at(-1)}\n${complained}`)
  return parts.slice(0, -1)
}
