import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordForms } from './record-forms.ts'
import { helpOfType, nameHelp, ttlHelp } from './record-help.ts'

test('each type with a form has a short help text', () => {
  for (const type of Object.keys(recordForms)) {
    const help = helpOfType(type)
    assert.ok(help !== undefined && help.length < 200, type)
  }
  for (const help of [nameHelp, ttlHelp]) assert.ok(help.length < 250)
})
