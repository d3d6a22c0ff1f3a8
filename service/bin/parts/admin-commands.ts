import type { Command } from './admin-command.ts'

type Commands = Readonly<Record<string, Command>>

const accounts = async (): Promise<Commands> => (await import('./account-commands.ts')).accountCommands
const billing = async (): Promise<Commands> => (await import('./billing-commands.ts')).billingCommands
const orders = async (): Promise<Commands> => (await import('./order-commands.ts')).orderCommands
const domains = async (): Promise<Commands> => (await import('./domain-commands.ts')).domainCommands
const installation = async (): Promise<Commands> => (await import('./installation-commands.ts')).installationCommands
const demo = async (): Promise<Commands> => (await import('./demo-command.ts')).demoCommand

/** The file that has the commands with this first word. Only this file is loaded, because loading all modules takes longer than a command runs. */
const byFirstWord = new Map([
  ['account', accounts],
  ['key', accounts],
  ['zone', accounts],
  ['update-limit', accounts],
  ['credit', billing],
  ['promo', billing],
  ['order', orders],
  ['domain', domains],
  ['mail', installation],
  ['door-key', installation],
  ['restore-serials', installation],
  ['demo', demo],
])

/** The command whose name these words begin with, and its arguments. Undefined if there is no such command. */
export async function commandIn(
  words: readonly string[],
): Promise<{ readonly command: Command; readonly args: readonly string[] } | undefined> {
  const commands = await byFirstWord.get(words[0] ?? '')?.()
  for (const [name, command] of Object.entries(commands ?? {})) {
    const { length } = name.split(' ')
    if (words.slice(0, length).join(' ') === name) return { command, args: words.slice(length) }
  }
  return undefined
}

/** Every command by its name, in the order of the help. */
export async function allCommands(): Promise<Commands> {
  const files = await Promise.all([...new Set(byFirstWord.values())].map((load) => load()))
  return Object.assign({}, ...files)
}

/** Every command with its arguments. */
export async function usage(): Promise<string> {
  const lines = Object.values(await allCommands()).map((command) => `  ${command.usage}\n      ${command.summary}\n`)
  const doctor =
    '  doctor [--json]\n      check the whole installation, and report what is wrong and what to do; exits with 1 if something is broken\n'
  const reseal =
    '  reseal-secrets\n      seal everything in the database again with SECRET_KEY, after you replaced it (docs/runbooks/rotate-secret-key.md)\n'
  return `Usage: node service/bin/admin.ts COMMAND\n\n${doctor}${reseal}${lines.join('')}`
}
