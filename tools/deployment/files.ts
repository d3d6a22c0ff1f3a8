import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** The text of a file of the repository. */
export const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The files that define all containers. */
export const compose = read('deploy/docker/compose.yaml')

/** The settings of an environment file, without quotes around values. */
export function settingsOf(path: string): Record<string, string> {
  const lines = read(path)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf('=')),
      line.slice(line.indexOf('=') + 1).replace(/^(["'])(.*)\1$/, '$2'),
    ]),
  )
}

/** The settings that compose.yaml passes to the service, as written there. */
export function settingsInCompose(): Record<string, string> {
  const [, block = ''] = /environment: &settings\n((?: {4}\S.*\n)+)/.exec(compose) ?? []
  const settings = [...block.matchAll(/^ {4}([A-Z_]+): (.*)$/gm)]
  return Object.fromEntries(settings.map(([, name = '', text = '']) => [name, text]))
}

/** The part of compose.yaml about one container. */
export function partOf(container: string): string {
  const [, part = ''] = new RegExp(`^  ${container}:\\n((?: {4}.*\\n|\\n)+)`, 'm').exec(compose) ?? []
  return part
}

/** The address that compose.yaml gives a container. */
export function addressOf(container: string): string {
  return /ipv4_address: ([0-9.]+)/.exec(partOf(container))?.[1] ?? assert.fail(container)
}

/** The containers of these kinds that run permanently. */
export function containersOf(...kinds: readonly ('service' | 'nameserver')[]): string[] {
  const all = compose.matchAll(new RegExp(`^ {2}(\\S+):\\n {4}<<: \\*(?:${kinds.join('|')})$`, 'gm'))
  return [...all].map(([, name = '']) => name).filter((name) => name !== 'migrate')
}
