import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredRrset } from '#modules/records/index.ts'
import { apply, assertValid, lines, stored, zone } from '#testing/presets/test-zone.ts'
import { readPresets } from './catalogue.ts'
import { fillTemplate } from './fill-template.ts'
import { isSpf } from './spf.ts'

const presets = [...readPresets().presets.values()]

/** A zone with records that conflict with those of the presets. */
const crowded: StoredRrset[] = [
  stored('@', 'A', ['192.0.2.1']),
  stored('@', 'AAAA', ['2001:db8::1']),
  stored('@', 'MX', ['10 mx.old.example.']),
  stored('@', 'TXT', ['"v=spf1 include:old.example -all"', '"MS=ms1"', '"kept"', '"apple-domain=old"']),
  stored('@', 'CAA', ['0 issue "old.example"']),
  stored('www', 'A', ['192.0.2.1']),
  stored('shop', 'CNAME', ['old.example.']),
  stored('autodiscover', 'CNAME', ['old.example.']),
  stored('_dmarc', 'TXT', ['"v=DMARC1; p=reject"']),
  stored('_domainkey', 'NS', ['ns.old.example.']),
  stored('_atproto', 'TXT', ['"did=did:plc:old"']),
  stored('_matrix-fed._tcp', 'SRV', ['1 1 1 old.example.']),
  stored('_minecraft._tcp', 'CNAME', ['old.example.']),
  stored('_imaps._tcp', 'SRV', ['0 0 0 .']),
  stored('unconcerned', 'A', ['192.0.2.1']),
]

const examplesOf = ({ parameters, template }: (typeof presets)[number]): Record<string, string> =>
  Object.fromEntries(
    parameters
      .filter(({ name }) => name !== 'host' || template.hostRequired)
      .map(({ name, example }) => [name, example]),
  )

for (const preset of presets)
  test(`${preset.id} applies to an empty zone and to one with conflicting records, and a repeat has no effect`, () => {
    const parameters = examplesOf(preset)
    for (const existing of [[], crowded]) {
      const { after, moves } = apply(existing, preset.template, parameters)
      assertValid(after)
      assert.ok(moves.length > 0)
      assert.deepEqual(apply(after, preset.template, parameters).moves, [])
      for (const wanted of fillTemplate(preset.template, zone, parameters)) {
        const there = after.find(({ name, type }) => name === wanted.name && type === wanted.type)
        if ('value' in wanted) assert.ok(there?.records.includes(wanted.value), wanted.value)
        else
          for (const rule of wanted.spfRules)
            assert.ok(there?.records.some((value) => isSpf(value) && value.includes(rule)))
      }
      assert.deepEqual(
        lines(after).filter((line) => line.startsWith('unconcerned')),
        lines(existing).filter((line) => line.startsWith('unconcerned')),
      )
    }
  })

test('every built-in preset describes each of its parameters and gives an example', () => {
  for (const { id, parameters, template } of presets) {
    assert.ok(template.description.endsWith('.'), id)
    for (const { name, label, example } of parameters) assert.ok(label !== name && example !== '', `${id} ${name}`)
  }
  assert.ok(presets.length >= 25)
})
