import { canonicalRdata, DnsFault, parseType } from '@zonewright/dns'
import { partsOf, quotedStringsOf, quoteText, textOf } from './text-record.ts'

/** One part of a record's data, as a field of the form. */
export interface FieldSpec {
  readonly label: string
  readonly example: string
  /** A host may be typed as a URL, or with Unicode labels. */
  readonly kind?: 'number' | 'text' | 'long' | 'host'
  readonly options?: readonly { readonly value: string; readonly label: string }[]
  /** Its initial value. */
  readonly initial?: string
  /** Its share of the width. */
  readonly grow?: number
}

/** How records of one type are entered. */
export interface RecordForm {
  readonly says: string
  readonly fields: readonly FieldSpec[]
  toData(parts: readonly string[]): string
  toParts(data: string): string[]
}

/** Parts that the data contains unchanged, separated by spaces; the last one takes the rest. */
function plain(says: string, ...fields: readonly FieldSpec[]): RecordForm {
  return {
    says,
    fields,
    toData: (parts) =>
      parts
        .map((part) => part.trim())
        .join(' ')
        .trim(),
    toParts: (data) => {
      const words = data.split(' ')
      return fields.map((_, i) => (i === fields.length - 1 ? words.slice(i).join(' ') : (words[i] ?? '')))
    },
  }
}

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`
const number = (label: string, example: string): FieldSpec => ({
  label,
  example,
  kind: 'number',
  initial: example,
  grow: 0,
})
const host = (label: string): FieldSpec => ({ label, example: 'host.example.net', kind: 'host' })
const binary = (label: string): FieldSpec => ({ label, example: '2bb183af…', kind: 'long' })
const choice = (label: string, ...options: readonly (readonly [string, string])[]): FieldSpec => ({
  label,
  example: '',
  options: options.map(([value, text]) => ({ value, label: text })),
  initial: options[0]?.[0] ?? '',
  grow: 1,
})

const service = plain(
  'Where a service is, and how it is reached',
  number('Priority', '1'),
  { label: 'Target', example: '. (this name itself)', initial: '.', kind: 'host' },
  { label: 'Parameters', example: 'alpn=h2,h3 ipv4hint=192.0.2.1', grow: 2 },
)

/** Text that a person enters without quotation marks. */
function text(says: string, example: string): RecordForm {
  return {
    says,
    fields: [{ label: 'Text', example, kind: 'long' }],
    // Text that is pasted in its quotes, as other programs print it, is already the data.
    toData: ([text = '']) => quotedStringsOf(text) ?? (text === '' ? '' : quoteText(text)),
    toParts: (data) => [textOf(data)],
  }
}

/** The types with a form of their own, most used first. All other types have their data as text. */
export const recordForms: Readonly<Record<string, RecordForm>> = {
  A: plain('An IPv4 address', { label: 'IPv4 address', example: '192.0.2.1' }),
  AAAA: plain('An IPv6 address', { label: 'IPv6 address', example: '2001:db8::1' }),
  CNAME: plain('Another name for this one', host('Target')),
  ALIAS: plain(
    'This name gets the A and AAAA records of the target. Unlike a CNAME, it is allowed at @',
    host('Target'),
  ),
  MX: plain('A mail server', number('Priority', '10'), host('Mail server')),
  TXT: text('Any text', 'v=spf1 include:_spf.example.net -all'),
  SRV: plain(
    'Where a service is',
    number('Priority', '10'),
    number('Weight', '0'),
    number('Port', '443'),
    host('Target'),
  ),
  CAA: {
    says: 'Who may issue certificates',
    fields: [
      choice('Flags', ['0', '0'], ['128', '128 (critical)']),
      choice('Tag', ['issue', 'issue'], ['issuewild', 'issuewild'], ['iodef', 'iodef'], ['issuemail', 'issuemail']),
      { label: 'Value', example: 'letsencrypt.org', grow: 2 },
    ],
    // Empty fields are not a record: an empty value would forbid every certificate authority.
    toData: ([flags = '', tag = '', value = '']) =>
      value.trim() === '' ? '' : `${flags} ${tag} ${quoted(value.trim())}`,
    toParts: (data) => partsOf(data),
  },
  NS: plain('A nameserver of a delegated name', host('Nameserver')),
  HTTPS: service,
  SVCB: service,
  PTR: plain('The name of an address', host('Host name')),
  DNAME: plain('Another tree in place of all below this name', host('Target')),
  DS: plain(
    'A key of a delegated zone',
    number('Key tag', '2371'),
    number('Algorithm', '13'),
    choice('Digest type', ['2', '2 (SHA-256)'], ['4', '4 (SHA-384)'], ['1', '1 (SHA-1)']),
    binary('Digest'),
  ),
  SSHFP: plain(
    'The fingerprint of an SSH host key',
    choice('Algorithm', ['4', '4 (Ed25519)'], ['3', '3 (ECDSA)'], ['1', '1 (RSA)'], ['6', '6 (Ed448)']),
    choice('Kind', ['2', '2 (SHA-256)'], ['1', '1 (SHA-1)']),
    binary('Fingerprint'),
  ),
  TLSA: plain(
    'The certificate of a TLS server',
    choice('Usage', ['3', '3 (this certificate)'], ['2', '2 (this authority)'], ['1', '1'], ['0', '0']),
    choice('Selector', ['1', '1 (its key)'], ['0', '0 (all of it)']),
    choice('Matching', ['1', '1 (SHA-256)'], ['2', '2 (SHA-512)'], ['0', '0 (whole)']),
    binary('Data'),
  ),
  NAPTR: {
    says: 'A rule that rewrites names',
    fields: [
      number('Order', '100'),
      number('Preference', '10'),
      { label: 'Flags', example: 'S', grow: 0 },
      { label: 'Service', example: 'SIP+D2U' },
      { label: 'Expression', example: '' },
      { label: 'Replacement', example: '_sip._udp.example.net.', initial: '.' },
    ],
    toData: ([order, preference, flags = '', name = '', expression = '', replacement]) =>
      flags + name + expression === '' && replacement === '.'
        ? ''
        : `${order} ${preference} ${quoted(flags)} ${quoted(name)} ${quoted(expression)} ${replacement}`,
    toParts: (data) => partsOf(data),
  },
}

/** Rarely used types of text: not among the choices, and entered like TXT. */
const textForms: Readonly<Record<string, RecordForm>> = {
  SPF: text('An SPF policy in the obsolete type SPF: mail receivers read only TXT', 'v=spf1 -all'),
  RESINFO: text('What a resolver publishes about itself', 'qnamemin'),
  WALLET: text('The address of a wallet', 'ETH 0x1234…'),
}

const asInZoneFile = plain('Data as in a zone file. A name with a dot is absolute', {
  label: 'Data',
  example: '\\# 4 0a000001',
  kind: 'long',
})

/** The form of a type; the data of any other type is one text. */
export function recordFormOf(type: string): RecordForm {
  return recordForms[type] ?? textForms[type] ?? asInZoneFile
}

/**
 * The form for editing an existing record: that of its type if it returns the record unchanged, and otherwise its data as one text. A TXT record
 * of several strings, or of bytes that are not UTF-8, would otherwise change when its form is opened.
 */
export function formOfRecord(type: string, data: string): RecordForm {
  const form = recordFormOf(type)
  return canonical(type, form.toData(form.toParts(data))) === data ? form : asInZoneFile
}

function canonical(type: string, data: string): string | undefined {
  try {
    return canonicalRdata(parseType(type), data)
  } catch (error) {
    if (error instanceof DnsFault) return undefined
    throw error
  }
}
