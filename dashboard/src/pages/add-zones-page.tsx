import { Badge, Button, Group, Stack, Switch, Text, Textarea } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { WireZoneAvailability } from '@zonewright/contract'
import { type ReactNode, useMemo, useState } from 'react'
import { call } from '../api/client.ts'
import { BatchProgress } from '../components/batch-progress.tsx'
import { type AddedLine, useAdding } from '../components/use-adding.ts'
import { attempted, useBatch } from '../components/use-batch.ts'
import { TextLink } from '../ui/links.tsx'
import { MainButton } from '../ui/main-button.tsx'
import { Name } from '../ui/name.tsx'
import { Page } from '../ui/page.tsx'
import { useArrival } from '../ui/use-arrival.ts'
import { VirtualRows } from '../ui/virtual-rows.tsx'
import { Batch, countsOf, type ItemState } from '../util/batch.ts'
import { csvOf } from '../util/csv.ts'
import { download } from '../util/download.ts'
import { keepAt, keptAt } from '../util/kept-in-tab.ts'
import { mostPastedNames, type PastedLine, pastedLines } from '../util/pasted-names.ts'
import { paths } from '../util/paths.ts'

/** The maximum number of names in one call of the API. */
const namesACall = 100
const place = 'pasted-names'

/** Adds zones for a pasted list of names: every line gets a verdict first, then they are added one after another. */
export function AddZonesPage() {
  const adding = useAdding()
  return (
    <Page
      title="Add many zones"
      within={<TextLink {...paths.zones()}>Zones</TextLink>}
      lead="Paste up to 5,000 names, one in each line. Nothing is added before you have seen what is wrong with the list."
    >
      {adding.batch !== undefined && adding.view !== undefined ? (
        <Progress lines={adding.batch.items} states={adding.view.states} onForget={adding.forget}>
          <BatchProgress of={adding.batch} view={adding.view} what="Zones added" />
        </Progress>
      ) : (
        <PastedList onAdd={adding.begin} />
      )}
    </Page>
  )
}

/** What the service says about names, and how many zones the account may still have. */
interface Answers {
  readonly byName: ReadonlyMap<string, WireZoneAvailability>
  readonly zonesLeft: number
}

function PastedList({ onAdd }: { onAdd: (lines: readonly AddedLine[]) => void }) {
  const [text, setText] = useState(() => keptAt<string>(place) ?? '')
  const [answers, setAnswers] = useState<Answers>()
  const { batch, view, begin, forget } = useBatch<readonly string[]>()
  const { lines, empty } = useMemo(() => pastedLines(text), [text])
  const isTooLong = lines.length > mostPastedNames
  const type = (next: string): void => {
    setText(next)
    keepAt(place, next === '' ? undefined : next)
    setAnswers(undefined)
    forget()
  }
  const check = (): void => {
    const names = lines.flatMap(({ name, fault }) => (name === undefined || fault !== undefined ? [] : [name]))
    const byName = new Map<string, WireZoneAvailability>()
    let zonesLeft = 0
    const calls: string[][] = []
    for (let i = 0; i < names.length; i += namesACall) calls.push(names.slice(i, i + namesACall))
    const next = new Batch<readonly string[]>(calls, (part) =>
      attempted(async () => {
        const found = await call('checkZones', { body: { names: [...part] } })
        for (const [i, name] of part.entries()) {
          const one = found.data[i]
          if (one !== undefined) byName.set(name, one)
        }
        zonesLeft = found.zones_left
      }),
    )
    const stop = next.listen(() => {
      if (next.view().isRunning) return
      stop()
      if (countsOf(next.view().states).waiting === 0) setAnswers({ byName, zonesLeft })
    })
    begin(next)
  }
  const isChecking = view !== undefined && answers === undefined
  return (
    <Stack gap="md">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (lines.length > 0 && !isTooLong) check()
        }}
      >
        <Stack gap="sm">
          <Textarea
            label="Names"
            placeholder={'example.com\nexample.org'}
            value={text}
            minRows={4}
            maxRows={answers === undefined ? 14 : 4}
            autosize
            autoFocus
            spellCheck={false}
            readOnly={isChecking && view.isRunning}
            error={
              isTooLong
                ? `These are ${lines.length.toLocaleString('en')} names. Paste at most ${mostPastedNames.toLocaleString('en')} at once.`
                : undefined
            }
            onChange={(event) => type(event.currentTarget.value)}
          />
          {isChecking && batch !== undefined && (
            <BatchProgress
              of={batch}
              view={view}
              what="Names checked"
              each={namesACall}
              total={batch.items.reduce((sum, part) => sum + part.length, 0)}
            />
          )}
          {answers === undefined && (
            <Group justify="space-between">
              <Text size="sm" className="quiet" role="status">
                {namesText(lines.length)}
                {empty > 0 &&
                  lines.length > 0 &&
                  `, ${empty === 1 ? '1 empty line' : `${empty.toLocaleString('en')} empty lines`}`}
              </Text>
              <MainButton
                type="submit"
                disabled={lines.length === 0 || isTooLong}
                loading={isChecking && view.isRunning}
              >
                Check the names
              </MainButton>
            </Group>
          )}
        </Stack>
      </form>
      {answers !== undefined && (
        <Review
          lines={lines}
          answers={answers}
          onAdd={(wanted) => {
            keepAt(place, undefined)
            onAdd(wanted)
          }}
        />
      )}
    </Stack>
  )
}

/** What will happen to a line. */
interface Verdict {
  readonly kind: 'good' | 'warning' | 'bad'
  readonly label: string
  readonly says: string
}

function Review({
  lines,
  answers,
  onAdd,
}: {
  lines: readonly PastedLine[]
  answers: Answers
  onAdd: (lines: readonly AddedLine[]) => void
}) {
  const [onlyFaults, setOnlyFaults] = useState(false)
  const judged = useMemo(() => {
    let left = answers.zonesLeft
    return lines.map((line) => {
      const verdict = verdictOf(line, answers, left)
      if (verdict.kind !== 'bad') left--
      return { ...line, verdict }
    })
  }, [lines, answers])
  const wanted = judged.flatMap(({ line, name, verdict }) =>
    verdict.kind === 'bad' || name === undefined ? [] : [{ line, name }],
  )
  const faults = judged.length - wanted.length
  const shown = onlyFaults ? judged.filter(({ verdict }) => verdict.kind !== 'good') : judged
  const review = useArrival<HTMLDivElement>(answers)
  return (
    <Stack gap="md" className="arrival" ref={review} tabIndex={-1}>
      <Group justify="space-between">
        <Text size="sm" role="status">
          {`${wanted.length.toLocaleString('en')} can be added${faults > 0 ? `, ${faults.toLocaleString('en')} cannot` : ''}.`}
        </Text>
        <Group gap="md">
          <Switch
            label="Only lines with a problem"
            checked={onlyFaults}
            onChange={(event) => setOnlyFaults(event.currentTarget.checked)}
          />
          <MainButton disabled={wanted.length === 0} onClick={() => onAdd(wanted)}>
            Add {zonesText(wanted.length)}
          </MainButton>
        </Group>
      </Group>
      <LineRows
        lines={shown}
        cells={({ text, name, verdict }) => ({
          name: (
            <>
              <Name>{name ?? text}</Name>
              {name !== undefined && name !== text && (
                <Text span size="xs" className="quiet" ml={8}>
                  {text}
                </Text>
              )}
            </>
          ),
          result: <Result {...verdict} />,
        })}
      />
    </Stack>
  )
}

function verdictOf({ name, fault }: PastedLine, { byName, zonesLeft }: Answers, left: number): Verdict {
  if (fault !== undefined || name === undefined) {
    const isTwice = name !== undefined
    return { kind: 'bad', label: isTwice ? 'Duplicate' : 'Not valid', says: fault ?? '' }
  }
  const answer = byName.get(name)
  if (answer === undefined) return { kind: 'bad', label: 'Not checked', says: 'The service did not check this name.' }
  if (!answer.available) return { kind: 'bad', label: reasons[answer.reason ?? 'invalid'], says: answer.message ?? '' }
  if (left <= 0)
    return { kind: 'bad', label: reasons.limit, says: `This account can have ${zonesText(zonesLeft)} more.` }
  if (answer.reason === 'hosted') return { kind: 'warning', label: reasons.hosted, says: answer.message ?? '' }
  return { kind: 'good', label: 'Can be added', says: '' }
}

const reasons: Readonly<Record<NonNullable<WireZoneAvailability['reason']>, string>> = {
  invalid: 'Not valid',
  reserved: 'Reserved',
  yours: 'Already hosted',
  taken: 'Taken',
  limit: 'Over the limit',
  hosted: 'Needs proof',
}

/** The zones that are being added, with the outcome of each. */
function Progress({
  lines,
  states,
  onForget,
  children,
}: {
  lines: readonly AddedLine[]
  states: readonly ItemState[]
  onForget: () => void
  children: ReactNode
}) {
  const { waiting, done, failed } = countsOf(states)
  const rows = lines.map((line, i) => ({ ...line, state: states[i] ?? ({ kind: 'waiting' } as const) }))
  const saveResult = (): void =>
    download(
      'added-zones.csv',
      'text/csv',
      csvOf(rows, {
        line: ({ line }) => line,
        name: ({ name }) => name,
        result: ({ state }) => state.kind,
        message: ({ state }) => (state.kind === 'failed' ? state.message : null),
      }),
    )
  const progress = useArrival<HTMLDivElement>(lines)
  return (
    <Stack gap="md" className="arrival" ref={progress} tabIndex={-1}>
      {children}
      {waiting === 0 && (
        <Group justify="space-between">
          <Text role="status" fw={600}>
            {zonesText(done)} added{failed > 0 && `, ${failed.toLocaleString('en')} not added`}.
          </Text>
          <Group gap="xs">
            <Button variant="default" onClick={saveResult}>
              Export CSV
            </Button>
            <Button variant="default" onClick={onForget}>
              Add more zones
            </Button>
          </Group>
        </Group>
      )}
      <LineRows
        lines={rows}
        cells={({ name, state }) => ({
          name:
            state.kind === 'done' ? (
              <TextLink {...paths.zone(name)} size="sm" underline="hover">
                <Name>{name}</Name>
              </TextLink>
            ) : (
              <Name>{name}</Name>
            ),
          result:
            state.kind === 'waiting' ? (
              <Text span size="sm" className="quiet">
                Waiting
              </Text>
            ) : state.kind === 'done' ? (
              <Result kind="good" label="Added" says="" />
            ) : (
              <Result kind="bad" label="Not added" says={state.message} />
            ),
        })}
      />
    </Stack>
  )
}

function LineRows<T extends { readonly line: number }>({
  lines,
  cells,
}: {
  lines: readonly T[]
  cells: (line: T) => { name: ReactNode; result: ReactNode }
}) {
  const isNarrow = useMediaQuery('(width < 48em)')
  return (
    <VirtualRows
      items={lines}
      label="Lines"
      heightOf={() => (isNarrow ? 64 : 41)}
      keyOf={({ line }) => String(line)}
      head={
        <div role="row" className="row row-head line-row">
          <span role="columnheader" className="number">
            Line
          </span>
          <span role="columnheader">Name</span>
          <span role="columnheader">Result</span>
        </div>
      }
      row={(line, at) => {
        const { name, result } = cells(line)
        return (
          <div role="row" key={line.line} className="row line-row" {...at}>
            <div role="cell" className="number quiet">
              {line.line}
            </div>
            <div role="cell" className="cut">
              {name}
            </div>
            <div role="cell" className="line-result">
              {result}
            </div>
          </div>
        )
      }}
    />
  )
}

const looks = { good: 'badge-green', warning: 'badge-orange', bad: 'badge-red' }

function Result({ kind, label, says }: Verdict) {
  return (
    <>
      <Badge className={looks[kind]}>{label}</Badge>
      {says !== '' && (
        <Text span size="xs" className="quiet" title={says}>
          {says}
        </Text>
      )}
    </>
  )
}

function namesText(count: number): string {
  return count === 1 ? '1 name' : `${count.toLocaleString('en')} names`
}

function zonesText(count: number): string {
  return count === 1 ? '1 zone' : `${count.toLocaleString('en')} zones`
}
