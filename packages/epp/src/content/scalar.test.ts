import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { base64, day, decimal, hex, instant, oneOf, price, reduction, token, truth, wholeNumber } from './scalar.ts'

const refused = { code: 'bad_value' }

describe('amounts', () => {
  it('of a fee are read and sent unless they are below zero', () => {
    for (const text of ['0', '0.00', '12.50', '7', '1000000.99']) {
      assert.equal(price.parse(text), text)
      assert.equal(price.format(text), text)
    }
    assert.equal(price.parse(' +12.50\n'), '+12.50')
    for (const text of ['-1', '-0.01', '-12.50', ' -5 ', '\n-3.00', '-.5', '-0', '-1000000']) {
      assert.equal(price.parse(text), undefined, text)
      assert.throws(() => price.format(text.trim()), refused, text)
    }
  })

  it('of a credit are read with either sign, and sent unless they are above zero', () => {
    for (const text of ['-1', '-12.50', '0', '0.00', '-0']) {
      assert.equal(reduction.parse(text), text)
      assert.equal(reduction.format(text), text)
    }
    assert.equal(reduction.parse('5.00'), '5.00')
    for (const text of ['1', '5.00', '0.01', '01', '0.10', '10']) assert.throws(() => reduction.format(text), refused)
  })

  it('of a balance have either sign', () => {
    for (const text of ['-1', '12.50', '0', '-0.5']) {
      assert.equal(decimal.parse(text), text)
      assert.equal(decimal.format(text), text)
    }
  })

  it('are decimal numbers and nothing else', () => {
    for (const scalar of [price, reduction, decimal])
      for (const text of ['', ' ', '-', '+', '.', '1,50', '1e3', '0x10', 'NaN', '1.2.3', '--1', '1 2', '-1 000']) {
        assert.equal(scalar.parse(text), undefined, text)
        assert.throws(() => scalar.format(text), refused, text)
      }
    // Accepted when reading, because schemas allow them, but never sent.
    for (const text of ['5.', '.5', '+5']) {
      assert.equal(decimal.parse(text), text)
      assert.throws(() => decimal.format(text), refused, text)
    }
  })
})

describe('times', () => {
  const { TZ: ours } = process.env
  const setZone = (zone: string | undefined) => {
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  }
  after(() => setZone(ours))

  for (const zone of ['UTC', 'America/New_York', 'Africa/Lagos', 'Asia/Kolkata', 'Pacific/Kiritimati']) {
    it(`mean the same when the service runs in ${zone}`, () => {
      setZone(zone)
      const isoOf = (text: string) => instant.parse(text)?.toISOString()
      for (const [text, expected] of [
        ['2027-01-02T03:04:05', '2027-01-02T03:04:05.000Z'],
        ['2027-01-02T03:04:05.678', '2027-01-02T03:04:05.678Z'],
        [' 2027-07-02T23:59:59\n', '2027-07-02T23:59:59.000Z'],
        // An hour that New York skips, and one that occurs twice there.
        ['2027-03-14T02:30:00', '2027-03-14T02:30:00.000Z'],
        ['2027-11-07T01:30:00', '2027-11-07T01:30:00.000Z'],
        ['2027-01-02T03:04:05Z', '2027-01-02T03:04:05.000Z'],
        ['2027-01-02T03:04:05+05:30', '2027-01-01T21:34:05.000Z'],
        ['2027-01-02T03:04:05-08:00', '2027-01-02T11:04:05.000Z'],
      ] as const) {
        assert.equal(isoOf(text), expected, text)
        assert.equal(instant.format(new Date(expected)), expected)
      }
      for (const text of ['2027-01-02', '2027-01-02Z', '2027-01-02+14:00', ' 2027-01-02-08:00 '])
        assert.equal(day.parse(text)?.toISOString(), '2027-01-02T00:00:00.000Z', text)
      assert.equal(day.format(new Date('2027-01-02T00:00:00Z')), '2027-01-02')
      assert.equal(day.format(new Date('2027-01-02T23:59:59Z')), '2027-01-02')
    })
  }

  it('that are not valid are not read', () => {
    for (const text of ['', 'yesterday', '2027-13-01T00:00:00Z', '2027-01-02 03:04:05Z', '2027-01-02T03:04Z'])
      assert.equal(instant.parse(text), undefined, text)
    for (const text of ['', '2027-13-01', '2027-1-2', '2027-01-02T00:00:00Z', '12027-01-02'])
      assert.equal(day.parse(text), undefined, text)
  })

  it('before the year 1 and after 9999 are not sent', () => {
    const [first, last] = ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']
    for (const text of [first, last]) assert.equal(instant.format(new Date(text)), text)
    for (const at of [Date.parse(first) - 1, Date.parse(last) + 1, Number.NaN]) {
      assert.throws(() => instant.format(new Date(at)), refused)
      assert.throws(() => day.format(new Date(at)), refused)
    }
  })
})

describe('numbers and words', () => {
  it('whole numbers are sent only within their bounds, and read regardless of them', () => {
    const years = wholeNumber('a period', 1, 99)
    for (const value of [1, 2, 98, 99]) assert.equal(years.format(value), String(value))
    for (const value of [0, 100, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
      assert.throws(() => years.format(value), { ...refused, message: /from 1 to 99/ }, String(value))
    for (const [text, value] of [
      ['7', 7],
      [' +07\n', 7],
      ['100', 100],
      ['0', 0],
    ] as const)
      assert.equal(years.parse(text), value)
    for (const text of ['', '-1', '1.0', '1e2', '0x1', 'one']) assert.equal(years.parse(text), undefined, text)
  })

  it('text is sent only within its bounds, which count characters', () => {
    const word = token('a word', { min: 2, max: 3 })
    for (const text of ['ab', 'abc', '\u{1f600}\u{1f600}\u{1f600}']) assert.equal(word.format(text), text)
    for (const text of ['', 'a', 'abcd', '\u{1f600}', ' ab', 'ab ', 'a\tb'])
      assert.throws(() => word.format(text), { ...refused, message: /2 to 3 characters/ }, JSON.stringify(text))
    assert.equal(word.parse('\n a \t b '), 'a b')
    assert.throws(() => token('a word', { min: 2 }).format('a'), /2 characters/)
  })

  it('true and false have two forms each', () => {
    const parsed = ['1', 'true', ' true\n', '0', 'false', 'yes', '', 'TRUE', '2'].map(truth.parse)
    assert.deepEqual(parsed, [true, true, true, false, false, undefined, undefined, undefined, undefined])
    assert.deepEqual([truth.format(true), truth.format(false)], ['1', '0'])
  })

  it('a value from a list of words is read and sent only as one of these words', () => {
    const unit = oneOf('a unit', ['y', 'm'])
    assert.deepEqual(['y', ' m ', 'd', '', 'Y', 'ym'].map(unit.parse), [
      'y',
      'm',
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    assert.equal(unit.format('y'), 'y')
    assert.throws(() => unit.format('d' as never), refused)
  })

  it('encoded bytes must be complete', () => {
    assert.deepEqual([' 0aFF\n', '', '0', '0g', '0a f'].map(hex.parse), ['0AFF', '', undefined, undefined, undefined])
    assert.equal(hex.format('0AFF'), '0AFF')
    for (const text of ['', '0', '0aff', '0A F']) assert.throws(() => hex.format(text), refused, text)
    assert.equal(base64.parse(' AQ PA\n'), 'AQPA')
    for (const text of ['AQPA', 'AQP=', 'AQ==']) assert.equal(base64.format(text), text)
    for (const text of ['', 'A', 'AQ', 'AQP', 'A===', 'AQ==AQ==', 'AQ-A'])
      assert.throws(() => base64.format(text), refused)
  })
})
