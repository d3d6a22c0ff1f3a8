import { Button, List, Stack, Text } from '@mantine/core'
import type { WireDomain } from '@zonewright/contract'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { keys } from '../api/queries.ts'
import { changeInList, renew } from '../api/query-client.ts'
import { Dialog } from '../ui/dialog.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { Names } from '../ui/name.tsx'
import { toast } from '../ui/toasts.tsx'
import { Batch, countsOf } from '../util/batch.ts'
import { may } from '../util/may.ts'
import { paths } from '../util/paths.ts'
import { BatchProgress } from './batch-progress.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { attempted, useBatch } from './use-batch.ts'
import type { Selection } from './use-selection.ts'

/** What can be done with many domains at once, one request each. */
const acts = {
  renewOn: {
    title: 'Turn on auto-renew',
    done: 'Auto-renew is on for',
    concerns: (domain: WireDomain) => !domain.auto_renew,
    request: (name: string) => call('turnAutoRenewOn', { params: { name } }),
  },
  renewOff: {
    title: 'Turn off auto-renew',
    done: 'Auto-renew is off for',
    // Managers cannot turn it off.
    concerns: (domain: WireDomain) => domain.auto_renew && may.ruleDomain(domain),
    request: (name: string) => call('turnAutoRenewOff', { params: { name } }),
  },
  lock: {
    title: 'Lock',
    done: 'Locked:',
    concerns: (domain: WireDomain) => !domain.locked && domain.status !== 'transferring_in',
    request: (name: string) => call('lockDomain', { params: { name } }),
  },
} as const

type Act = keyof typeof acts

/** What can be done with the selected domains. `shown`: how many match the filters. */
export function DomainBulkBar({
  selected,
  shown,
  selection,
}: {
  selected: readonly WireDomain[]
  shown: number
  selection: Selection<WireDomain>
}) {
  const [act, setAct] = useState<Act>()
  const { batch, view, begin, forget } = useBatch<WireDomain>()
  const start = (wanted: Act): void => {
    const { concerns, request, done } = acts[wanted]
    const next = new Batch(selected.filter(concerns), ({ name }) => attempted(async () => takeIn(await request(name))))
    const stop = next.listen(() => {
      const { isRunning, states } = next.view()
      const { waiting, failed } = countsOf(states)
      if (isRunning || waiting > 0) return
      stop()
      if (failed > 0) return
      toast(`${done} ${domainsText(next.items.length)}.`)
      forget()
      setAct(undefined)
    })
    setAct(wanted)
    begin(next)
  }
  const button = (wanted: Act) => (
    <Button size="xs" variant="default" disabled={!selected.some(acts[wanted].concerns)} onClick={() => start(wanted)}>
      {acts[wanted].title}
    </Button>
  )
  const failures = (view?.states ?? []).flatMap((state, i) =>
    state.kind === 'failed' ? [{ name: batch?.items[i]?.unicode_name ?? '', message: state.message }] : [],
  )
  return (
    <SelectionBar
      label="Selected domains"
      what="domains"
      selected={selected.length}
      shown={shown}
      selection={selection}
    >
      <ButtonLink size="xs" variant="default" {...paths.renewDomains()}>
        Renew
      </ButtonLink>
      {button('renewOn')}
      {button('renewOff')}
      {button('lock')}
      {batch !== undefined && view !== undefined && act !== undefined && (
        <Dialog
          title={`${acts[act].title}: ${domainsText(batch.items.length)}`}
          isBusy={view.isRunning}
          onClose={() => {
            forget()
            setAct(undefined)
            void renew(keys.domains)
          }}
        >
          <Stack gap="sm">
            <BatchProgress of={batch} view={view} what={acts[act].title} />
            {failures.length > 0 && (
              <List size="sm" role="alert">
                {failures.slice(0, 50).map(({ name, message }) => (
                  <List.Item key={name}>
                    <Names>{`${name}: ${message}`}</Names>
                  </List.Item>
                ))}
              </List>
            )}
            {failures.length > 50 && <Text size="sm">and {(failures.length - 50).toLocaleString('en')} more</Text>}
          </Stack>
        </Dialog>
      )}
    </SelectionBar>
  )
}

/** Shows a changed domain in the list immediately. */
export function takeIn(domain: WireDomain): void {
  changeInList<WireDomain>(keys.domains, (one) => (one.name === domain.name ? domain : one))
}

function domainsText(count: number): string {
  return count === 1 ? '1 domain' : `${count.toLocaleString('en')} domains`
}
