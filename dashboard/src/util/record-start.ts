import { recordForms } from './record-forms.ts'

/** How the form for a new record set is filled in. An empty value is left to the person. */
export interface RecordStart {
  readonly name: string
  readonly type: string
  /** Data as in a zone file. */
  readonly value: string
}

/** The same in a page's URL: `?add=TXT&name=_dmarc&value=…`. */
export interface RecordStartSearch {
  readonly add?: string
  readonly name?: string
  readonly value?: string
}

export function startToSearch({ name, type, value }: RecordStart): RecordStartSearch {
  return { add: type, name, ...(value !== '' && { value }) }
}

/** Undefined: the URL does not open the form, or names a type that has none. */
export function startOf({ add, name = '', value = '' }: RecordStartSearch): RecordStart | undefined {
  return add !== undefined && Object.hasOwn(recordForms, add) ? { name, type: add, value } : undefined
}
