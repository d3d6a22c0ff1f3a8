import { CloseButton, Kbd, Modal } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { searchLengths } from '@zonewright/contract'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { slowAfterMs } from '../api/ask-service.ts'
import { queries } from '../api/queries.ts'
import { queryClient } from '../api/query-client.ts'
import { useFocusReturn } from '../ui/dialog.tsx'
import { Failure } from '../ui/feedback.tsx'
import { Icon } from '../ui/icons.tsx'
import { MiddleCut } from '../ui/middle-cut.tsx'
import { Name } from '../ui/name.tsx'
import { useLong } from '../ui/use-long.ts'
import { orderTitle, statusWords } from '../util/order-words.ts'
import { type PaletteLine, type PaletteOption, paletteGroups } from '../util/palette-options.ts'
import { shownName } from '../util/shown-name.ts'
import { TypeChip } from './type-chip.tsx'
import './palette.css'

/** The service reads the records of an account when it first searches. It can do so while the person types. */
const firstSearch = 'www'
/** How many options Page Up and Page Down skip. */
const pageLength = 8

/**
 * Finds zones, records, domains, orders, keys, pages and actions while the person types. Pages and actions need no service.
 *
 * A combobox with a list box (WAI-ARIA APG): the focus stays in the field, and the arrow keys choose an option.
 */
export function Palette({ onClose }: { onClose: () => void }) {
  useFocusReturn()
  const id = useId()
  const navigate = useNavigate()
  const { zone } = useParams({ strict: false })
  const [text, setText] = useState('')
  const [chosenId, setChosenId] = useState<string>()
  // Enter came before the hits of the text.
  const [isWaiting, setWaiting] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const q = text.trim()
  const isLongEnough = [...q].length >= searchLengths.least
  const search = useQuery({ ...queries.search(q), enabled: isLongEnough, placeholderData: keepPreviousData })
  const isStale = isLongEnough && !search.isError && (search.isPlaceholderData || search.data === undefined)
  const found = isLongEnough && !search.isError ? search.data : undefined
  const groups = useMemo(() => paletteGroups(text, { zone, found }), [text, zone, found])
  const options = groups.flatMap((group) => group.options)
  const chosen = options.find((option) => option.id === chosenId) ?? options[0]
  useEffect(() => void queryClient.prefetchQuery(queries.search(firstSearch)), [])
  useEffect(() => {
    if (chosenId !== undefined)
      list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [chosenId])

  const open = (option: PaletteOption): void => {
    onClose()
    if (typeof option.to === 'string') window.open(option.to, '_blank', 'noreferrer')
    else void navigate(option.to)
  }
  useEffect(() => {
    if (!isWaiting || isStale) return
    setWaiting(false)
    if (chosen !== undefined) open(chosen)
  })

  const move = (by: number): void => {
    const at = chosen === undefined ? 0 : options.indexOf(chosen)
    setChosenId(options.at((at + by) % options.length)?.id)
  }
  const leap = (by: number): void => {
    const at = chosen === undefined ? 0 : options.indexOf(chosen)
    setChosenId(options[Math.max(0, Math.min(options.length - 1, at + by))]?.id)
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    PageDown: () => leap(pageLength),
    PageUp: () => leap(-pageLength),
    Enter: () => {
      // Hits of an earlier text are not what the person wants. Pages and actions are always those of this one.
      if (isStale && chosen?.line.of !== 'entry') setWaiting(true)
      else if (chosen !== undefined) open(chosen)
    },
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const act =
      event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  return (
    <Modal.Root opened onClose={onClose} size={640} yOffset="8dvh" xOffset={8} transitionProps={{ duration: 0 }}>
      <Modal.Overlay />
      <Modal.Content radius="md" aria-label="Search">
        <div className="palette">
          <div className="palette-field">
            <Icon name="search" />
            <input
              type="text"
              role="combobox"
              aria-label="Search"
              aria-expanded={options.length > 0}
              aria-controls={`${id}-list`}
              aria-autocomplete="list"
              {...(chosen && { 'aria-activedescendant': `${id}-${options.indexOf(chosen)}` })}
              placeholder="Search zones, records and more"
              value={text}
              maxLength={searchLengths.most}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              enterKeyHint="go"
              data-autofocus
              onChange={(event) => {
                setText(event.currentTarget.value)
                setChosenId(undefined)
                setWaiting(false)
              }}
              onKeyDown={onKeyDown}
            />
            <CloseButton aria-label="Close" onClick={onClose} />
          </div>
          <div
            id={`${id}-list`}
            ref={list}
            role="listbox"
            aria-label="Results"
            aria-busy={isStale}
            className="palette-list"
            data-shown={isStale ? undefined : q}
          >
            {groups.map(({ heading, options: own, hasMore }) => (
              <div role="group" key={heading} aria-labelledby={`${id}-${heading}`}>
                <div id={`${id}-${heading}`} className="palette-heading" role="presentation">
                  {heading}
                  {hasMore && <span> · more match, type more</span>}
                </div>
                {own.map((option) => (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and takes the keys
                  <div
                    key={option.id}
                    id={`${id}-${options.indexOf(option)}`}
                    role="option"
                    aria-selected={option === chosen}
                    className="palette-option"
                    // The field keeps the focus.
                    onMouseDown={(event) => event.preventDefault()}
                    onClick={() => open(option)}
                  >
                    <Line line={option.line} />
                  </div>
                ))}
              </div>
            ))}
          </div>
          <PaletteStatus
            search={isLongEnough ? search : undefined}
            isStale={isStale}
            isComplete={found?.complete !== false}
            text={q}
            count={options.length}
          />
        </div>
      </Modal.Content>
    </Modal.Root>
  )
}

/** What the person cannot see in the list: that the service is slow or has failed, and how many options there are. */
function PaletteStatus({
  search,
  isStale,
  isComplete,
  text,
  count,
}: {
  search: { error: unknown; isError: boolean; refetch: () => unknown } | undefined
  isStale: boolean
  isComplete: boolean
  text: string
  count: number
}) {
  const isLong = useLong(isStale, 300)
  const isStuck = useLong(isStale, slowAfterMs)
  if (search?.isError)
    return (
      <div className="palette-failure">
        <Failure
          title="The search failed. Pages and actions still work."
          error={search.error}
          retry={() => void search.refetch()}
        />
      </div>
    )
  return (
    <div className="palette-foot">
      <span role="status">
        {isStuck
          ? 'The service is taking longer than usual. Pages and actions still work.'
          : isLong
            ? 'Searching…'
            : isStale
              ? ''
              : !isComplete
                ? 'Your records are still being read. More may match.'
                : text !== '' && count === 0
                  ? noResult(text)
                  : text === ''
                    ? ''
                    : `${count} ${count === 1 ? 'result' : 'results'}`}
      </span>
      <span className="palette-keys wide-only" aria-hidden="true">
        <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> choose <Kbd size="xs">Enter</Kbd> open <Kbd size="xs">Esc</Kbd>{' '}
        close
      </span>
    </div>
  )
}

function noResult(text: string): string {
  return [...text].length < searchLengths.least
    ? `Type at least ${searchLengths.least} characters to search your zones and records.`
    : 'Nothing matches. Try a part of a name, a value or an address.'
}

function Line({ line }: { line: PaletteLine }) {
  switch (line.of) {
    case 'entry':
      return <Parts icon={<Icon name={line.entry.icon} size={16} />} title={line.entry.title} />
    case 'zone':
      return (
        <Parts
          icon={<Icon name="zones" size={16} />}
          title={<Name>{shownName(line.zone.name)}</Name>}
          detail={
            line.zone.state === 'pending' ? 'To verify' : line.zone.role === 'manager' ? 'Shared with you' : undefined
          }
        />
      )
    case 'record': {
      const { name, type, value, record_count: count } = line.record
      return (
        <Parts
          icon={<TypeChip type={type} />}
          title={<Name>{shownName(name)}</Name>}
          detail={
            <span className="mono palette-value">
              <MiddleCut text={value} title={value} />
              {count > 1 && <span className="quiet">+{count - 1}</span>}
            </span>
          }
        />
      )
    }
    case 'domain':
      return (
        <Parts
          icon={<Icon name="domain" size={16} />}
          title={<Name>{shownName(line.domain.name)}</Name>}
          detail={line.domain.role === 'manager' ? 'Shared with you' : undefined}
        />
      )
    case 'order':
      return (
        <Parts
          icon={<Icon name="order" size={16} />}
          title={orderTitle(line.order)}
          detail={statusWords[line.order.status].label}
        />
      )
    case 'key':
      return (
        <Parts
          icon={<Icon name="key" size={16} />}
          title={line.key.name}
          detail={
            line.key.state === 'live' ? `…${line.key.hint}` : line.key.state === 'revoked' ? 'Revoked' : 'Expired'
          }
        />
      )
  }
}

function Parts({ icon, title, detail }: { icon: ReactNode; title: ReactNode; detail?: ReactNode }) {
  return (
    <>
      <span className="palette-icon">{icon}</span>
      <span className="cut">{title}</span>
      {detail !== undefined && <span className="palette-detail">{detail}</span>}
    </>
  )
}
