import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinTables } from './join-tables.ts'

test('pages are joined into one table with one header', () => {
  assert.equal(joinTables(['a,b\r\n1,"x\r\ny"\r\n', 'a,b\r\n2,z\r\n', 'a,b\r\n']), 'a,b\r\n1,"x\r\ny"\r\n2,z\r\n')
  assert.equal(joinTables(['a,b\r\n']), 'a,b\r\n')
})
