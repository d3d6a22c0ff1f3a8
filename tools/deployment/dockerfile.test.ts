// The Dockerfile, as far as Docker is not needed.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { nodeArgs } from '../local/process.ts'
import { read, root } from './files.ts'

test('the Dockerfile has only known instructions and existing sources, and its image runs as an unprivileged user', () => {
  const stages = stagesOf(read('deploy/docker/Dockerfile'))
  const known = [
    'ARG',
    'CMD',
    'COPY',
    'ENTRYPOINT',
    'ENV',
    'HEALTHCHECK',
    'RUN',
    'STOPSIGNAL',
    'USER',
    'VOLUME',
    'WORKDIR',
  ]
  const steps = stages.flatMap((stage) => stage.steps)
  assert.deepEqual(
    steps.filter(({ word }) => !known.includes(word)),
    [],
  )
  const node = `node:${read('.nvmrc').trim()}-`
  for (const { from } of stages) assert.ok(from.startsWith(node), `${from} is not the Node of .nvmrc`)
  const copied = steps.filter(({ word, rest }) => word === 'COPY' && rest.startsWith('--from=packages'))
  assert.ok(copied.length >= 5)
  for (const { rest } of copied) {
    const [, from = '', source = ''] = /^--from=(\w+) \/opt\/zonewright\/(\S+) /.exec(rest) ?? []
    assert.ok(
      stages.some(({ name }) => name === from),
      rest,
    )
    assert.ok(existsSync(join(root, source)), rest)
  }
  const last = stages.at(-1)?.steps ?? []
  assert.deepEqual(
    last.filter(({ word }) => word === 'USER').map(({ rest }) => rest),
    ['node'],
  )
  for (const { word, rest } of last)
    if (word === 'CMD') {
      const command: string[] = JSON.parse(rest)
      assert.ok(existsSync(join(root, command.at(-1) ?? '')), rest)
      assert.deepEqual(command, [...nodeArgs.service, 'service/bin/api.ts'])
    }
  assert.deepEqual(
    last.slice(-1).map(({ word }) => word),
    ['CMD'],
  )
})

/** The instructions of the Dockerfile, by stage; continuation lines belong to their instruction. */
function stagesOf(text: string): { from: string; name: string | undefined; steps: { word: string; rest: string }[] }[] {
  const lines = text
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const stages: ReturnType<typeof stagesOf> = []
  for (const line of lines) {
    const [, word = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? []
    const [, from, name] = /^(\S+:\S+)(?: AS (\w+))?$/.exec(word === 'FROM' ? rest : '') ?? []
    if (from !== undefined) stages.push({ from, name, steps: [] })
    else stages.at(-1)?.steps.push({ word, rest })
  }
  return stages
}
