import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvOf } from './csv.ts'
import { rrsetsAsCsv } from './rrset-csv.ts'

test('each row is a line, and quotes, commas and line breaks stay within their cell', () => {
  const rows = [{ name: 'a, "b"\r\nc', count: -3, on: true, at: null }]
  assert.equal(
    csvOf(rows, { name: (row) => row.name, count: (row) => row.count, on: (row) => row.on, at: (row) => row.at }),
    'name,count,on,at\r\n"a, ""b""\r\nc",-3,true,\r\n',
  )
  assert.equal(csvOf([], { name: () => '' }), 'name\r\n')
})

test('a spreadsheet reads no text as a formula', () => {
  for (const text of ['=1+1', '+1', '-1', '@sum(a1)', '\t=1', '\r=1']) {
    const [, line = ''] = csvOf([{ text }], { text: (row) => row.text }).split(/^text\r\n/)
    assert.match(line, /^"?'/, JSON.stringify(text))
  }
  assert.equal(csvOf([{ text: 'a=1' }], { text: (row) => row.text }), 'text\r\na=1\r\n')
})

test('a table of record sets has one line for each record', () => {
  const rrsets = [
    { name: 'example.com', type: 'TXT', ttl: 300, records: ['"a, b"', '"=1"'], managed: false, labels: ['x', 'y'] },
    { name: 'ns.example.com', type: 'A', ttl: 60, records: ['192.0.2.1'], managed: true, comment: '=cmd()' },
  ]
  assert.deepEqual(rrsetsAsCsv(rrsets).split('\r\n'), [
    'name,type,ttl,value,managed,labels,comment',
    'example.com,TXT,300,"""a, b""",false,x y,',
    'example.com,TXT,300,"""=1""",false,x y,',
    "ns.example.com,A,60,192.0.2.1,true,,'=cmd()",
    '',
  ])
})
