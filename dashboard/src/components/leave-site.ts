import { useWindowEvent } from '@mantine/hooks'
import { countEdits } from './use-edits.ts'

let isMeant = false

/** To where a card is charged, and back again: edits are still in the tab then, so nobody is asked. */
export function goToPay(url: string): void {
  isMeant = true
  location.assign(url)
}

/** Edits that are not saved go with the tab: while there are any, the browser asks before it is closed. */
export function useLeaveQuestion(): void {
  useWindowEvent('beforeunload', (event) => {
    if (countEdits() > 0 && !isMeant) event.preventDefault()
    isMeant = false
  })
}
