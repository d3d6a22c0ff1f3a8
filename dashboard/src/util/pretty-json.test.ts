import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prettyJson } from './pretty-json.ts'

test('JSON is written with one member per line, and anything else stays unchanged', () => {
  assert.equal(prettyJson('{"a":[1,{"b":"x"}]}', 100), '{\n  "a": [\n    1,\n    {\n      "b": "x"\n    }\n  ]\n}')
  for (const text of ['', 'no json', '{"a":', `"${'x'.repeat(100)}"`]) assert.equal(prettyJson(text, 100), text)
})
