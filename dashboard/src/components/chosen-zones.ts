import { selectedAt } from './use-selection.ts'

/** The zones that the URL of a page names: a list of names or ids, or `selected`, those that are selected in the list of zones. */
export function chosenZones(text: string | undefined): readonly string[] {
  return text === 'selected' ? selectedAt('zones') : (text ?? '').split(',').filter((zone) => zone !== '')
}
