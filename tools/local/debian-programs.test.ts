import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { debianPrograms } from './debian-programs.ts'

test('a program that the machine already has is used without a download', () => {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-programs-'))
  try {
    assert.ok(debianPrograms({ sh: ['no-such-package'] }, folder).includes(process.env['PATH'] ?? ''))
    assert.deepEqual(readdirSync(folder), [])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
