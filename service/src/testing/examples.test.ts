// Compares the examples of the API document with the service's answers: their values must have the same forms.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiDocument } from '@zonewright/contract'
import { startFuzzWorld } from './fuzz/fuzz-world.ts'
import { contractTargets } from './fuzz/targets.ts'

interface Media {
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}
interface Operation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>
}
const { paths } = apiDocument() as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}
const operations = Object.values(paths).flatMap((methods) => Object.values(methods))

function examplesOf(id: string, status: number): unknown[] {
  const { responses } = operations.find(({ operationId }) => operationId === id) ?? assert.fail(id)
  const { example, examples = {} } = responses[status]?.content?.['application/json'] ?? {}
  return example === undefined ? Object.values(examples).map(({ value }) => value) : [example]
}

/** The form of a value: an id of some kind, a time, another text, or its type. */
function formOf(value: unknown): string {
  if (typeof value !== 'string') return Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return 'time'
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)) return 'uuid'
  return /^([a-z]{3})_[0-9a-f]{32}$/.exec(value)?.[1] ?? 'text'
}

/** Members that both have in different forms. Null matches any form. */
function differences(example: unknown, real: unknown, at = ''): string[] {
  const [one, other] = [formOf(example), formOf(real)]
  if (one === 'null' || other === 'null') return []
  // An actor may be a person or a key, and a key may cover all zones or a list of them.
  if (at.endsWith('/actor/id') || at.endsWith('/zones')) return []
  if (one !== other) return [`${at}: the example is ${one}, the response has ${other}`]
  if (one === 'list') {
    const [first, item] = [(example as unknown[])[0], (real as unknown[])[0]]
    return first === undefined || item === undefined ? [] : differences(first, item, `${at}[]`)
  }
  if (one !== 'object') return []
  const [shown, sent] = [example, real] as Record<string, unknown>[]
  return Object.entries(shown ?? {}).flatMap(([member, value]) =>
    sent?.[member] === undefined ? [] : differences(value, sent[member], `${at}/${member}`),
  )
}

const world = await startFuzzWorld()

test('the values of each example have the same forms as in a real response', async () => {
  const found: string[] = []
  let compared = 0
  for (const target of contractTargets().filter(({ id }) => !id.includes('no prefix'))) {
    const { status, body } = await world.sendValid(target)
    assert.ok(status < 300, `${target.id}: ${status} ${JSON.stringify(body)}`)
    if (typeof body !== 'object' || body === null) continue
    const faults = examplesOf(target.id, status).map((example) => differences(example, body))
    if (!faults.some((each) => each.length === 0)) found.push(`${target.id} ${status}: ${faults.flat().join('; ')}`)
    compared++
  }
  assert.deepEqual(found, [])
  assert.ok(compared > 70, `${compared} responses`)
})
