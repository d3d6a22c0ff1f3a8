import { accountCommands } from './account-commands.ts'
import type { Command } from './admin-command.ts'
import { billingCommands } from './billing-commands.ts'
import { demoCommand } from './demo-command.ts'
import { domainCommands } from './domain-commands.ts'
import { installationCommands } from './installation-commands.ts'
import { orderCommands } from './order-commands.ts'

export const commands: Readonly<Record<string, Command>> = {
  ...accountCommands,
  ...billingCommands,
  ...orderCommands,
  ...domainCommands,
  ...installationCommands,
  ...demoCommand,
}

/** Every command with its arguments. */
export function usage(): string {
  const lines = Object.values(commands).map((command) => `  ${command.usage}\n      ${command.summary}\n`)
  const doctor =
    '  doctor [--json]\n      check the whole installation, and report what is wrong and what to do; exits with 1 if something is broken\n'
  return `Usage: node service/bin/admin.ts COMMAND\n\n${doctor}${lines.join('')}`
}
