import type { ChecklistId } from '@zonewright/contract'
import type { RecordStart } from './record-start.ts'

/** What a person can do about an item of the checklist: choose a preset, or change records. */
export interface Advice {
  readonly label: string
  readonly leadsTo: 'presets' | 'records'
  /** The filter of the page. */
  readonly search: { readonly q?: string; readonly type?: string }
}

const mailPresets: Advice = { label: 'Choose a mail preset', leadsTo: 'presets', search: { q: 'mail' } }
const webPresets: Advice = { label: 'Choose a preset', leadsTo: 'presets', search: {} }

function recordsOf(type: string): Advice {
  return { label: `Show the ${type} records`, leadsTo: 'records', search: { type } }
}

const advice: Partial<Record<ChecklistId, { readonly todo: Advice; readonly warning: Advice }>> = {
  apex: { todo: webPresets, warning: recordsOf('A') },
  www: { todo: webPresets, warning: recordsOf('CNAME') },
  mx: { todo: mailPresets, warning: recordsOf('MX') },
  spf: { todo: mailPresets, warning: recordsOf('TXT') },
  dkim: { todo: mailPresets, warning: recordsOf('TXT') },
  dmarc: {
    todo: { label: 'Choose a DMARC preset', leadsTo: 'presets', search: { q: 'dmarc' } },
    warning: recordsOf('TXT'),
  },
  caa: { todo: recordsOf('CAA'), warning: recordsOf('CAA') },
  aliases: { todo: recordsOf('CNAME'), warning: recordsOf('CNAME') },
}

/** The records that set up an item, as far as they are the same for everyone. */
const starts: Partial<Record<ChecklistId, RecordStart>> = {
  apex: { name: '@', type: 'A', value: '' },
  www: { name: 'www', type: 'CNAME', value: '' },
  mx: { name: '@', type: 'MX', value: '' },
  spf: { name: '@', type: 'TXT', value: '"v=spf1 mx ~all"' },
  dmarc: { name: '_dmarc', type: 'TXT', value: '"v=DMARC1; p=none"' },
  caa: { name: '@', type: 'CAA', value: '0 issue "letsencrypt.org"' },
}

/** The record that sets up an item that is still to do. The person completes it and saves it. */
export function startFor(id: ChecklistId, state: 'done' | 'todo' | 'warning'): RecordStart | undefined {
  return state === 'todo' ? starts[id] : undefined
}

/** The action for an item that is not done; undefined: it is not about records, or there is nothing to do. */
export function adviceFor(id: ChecklistId, state: 'done' | 'todo' | 'warning'): Advice | undefined {
  return state === 'done' ? undefined : advice[id]?.[state]
}
