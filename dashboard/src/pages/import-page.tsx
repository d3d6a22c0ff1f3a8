import { Alert, Button, FileButton, Group, List, Radio, Stack, Text, Textarea } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { maxImportBytes } from '@zonewright/contract'
import { useEffect, useRef, useState } from 'react'
import { type Answer, call, urlOf } from '../api/client.ts'
import { queries } from '../api/queries.ts'
import { queryClient } from '../api/query-client.ts'
import { DiffView } from '../components/diff-view.tsx'
import { MovedNote } from '../components/moved-note.tsx'
import { ScanSection } from '../components/scan-section.tsx'
import { usePreviewed } from '../components/use-previewed.ts'
import { useZone } from '../components/use-zone.ts'
import { WarningList } from '../components/warning-list.tsx'
import { Failure } from '../ui/feedback.tsx'
import { MainButton } from '../ui/main-button.tsx'
import { Marked } from '../ui/marked.tsx'
import { Section, useTitle } from '../ui/page.tsx'
import { download } from '../util/download.ts'
import { rrsetsAsCsv } from '../util/rrset-csv.ts'
import { zoneFileText } from '../util/zone-file-text.ts'

/** Imports a zone file after a preview of the differences, and exports one. */
export function ImportPage() {
  const { zone, name } = useZone()
  const { data } = useQuery(queries.zone(zone))
  const [found, setFound] = useState<Arrived>()
  useTitle(`${name}: import and export`)
  const csv = useMutation({
    mutationFn: () => queryClient.fetchQuery({ ...queries.rrsets(zone), staleTime: 0 }),
    onSuccess: ({ items }) => download(`${name}.csv`, 'text/csv', rrsetsAsCsv(items)),
  })
  // Control of a zone must be proven before its records are searched, and a domain that points here has no records elsewhere.
  const mayBeElsewhere = data?.state === 'live' && data.delegation.state !== 'live'
  return (
    <Stack>
      {mayBeElsewhere && (
        <ScanSection zone={zone} isReviewed={found !== undefined} review={(text) => setFound({ text })} />
      )}
      <ImportSection zone={zone} name={name} found={found} />
      <Section title="Export" lead="All records as a standard zone file, or as a table for spreadsheets.">
        <Group>
          <Button
            component="a"
            href={urlOf('exportZone', { params: { zone } })}
            download={`${name}.zone`}
            variant="default"
          >
            Download the zone file
          </Button>
          <Button variant="default" loading={csv.isPending} onClick={() => csv.mutate()}>
            Export CSV
          </Button>
        </Group>
        <Failure error={csv.error} />
      </Section>
    </Stack>
  )
}

/** A zone file that arrived as a whole. Another object is another arrival, even of the same text. */
interface Arrived {
  readonly text: string
}

type Mode = 'merge' | 'replace'

const mostMebibytes = maxImportBytes / 1024 / 1024

function ImportSection({ zone, name, found }: { zone: string; name: string; found: Arrived | undefined }) {
  const [text, setText] = useState('')
  const [mode, setMode] = useState<Mode>('merge')
  const [unread, setUnread] = useState('')
  const [isOver, setOver] = useState(false)
  const [arrived, setArrived] = useState<Arrived>()
  const change = usePreviewed(
    zone,
    ({ dryRun, headers }) =>
      call('importZone', {
        params: { zone },
        query: { mode, ...(dryRun && { dry_run: 'true' as const }) },
        body: text,
        headers,
      }),
    ({ diff }) =>
      diff.changes.length === 0
        ? 'Nothing had to change.'
        : `Imported: ${diff.changes.length === 1 ? '1 record set' : `${diff.changes.length} record sets`} changed.`,
  )
  const take = (next: string, nextMode = mode): void => {
    setText(next)
    setMode(nextMode)
    setUnread('')
    change.forget()
  }
  /** Takes a text that was found, pasted, dropped or chosen, as opposed to typed. Its preview starts immediately. */
  const receive = (next: string): void => {
    take(next)
    if (next.trim() !== '') setArrived({ text: next })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each file that was found
  useEffect(() => {
    if (found !== undefined) receive(found.text)
  }, [found])
  // In an effect, because the preview sends `text`, which is then the text that has arrived.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each text that has arrived
  useEffect(() => {
    if (arrived !== undefined) change.preview()
  }, [arrived])
  const preview = useRef<HTMLDivElement>(null)
  // The preview of a long file, or on a phone, is below the window.
  useEffect(() => {
    if (change.seen) preview.current?.scrollIntoView({ block: 'nearest' })
  }, [change.seen])
  useWindowEvent('paste', (event) => {
    if (event.target instanceof Element && event.target.closest('input, textarea, [role=dialog]')) return
    const pasted = event.clipboardData?.getData('text/plain') ?? ''
    if (pasted !== '') receive(pasted)
  })
  const takeFile = async (file: File | null | undefined): Promise<void> => {
    if (!file) return
    if (file.size > maxImportBytes)
      return setUnread(
        `${file.name} is too large: at most ${mostMebibytes} MiB are imported at once. Import it in parts.`,
      )
    const read = zoneFileText(await file.arrayBuffer())
    if ('fault' in read) setUnread(`${file.name} cannot be imported. ${read.fault}`)
    else receive(read.text)
  }
  return (
    <Section
      title="Import"
      lead="Paste a zone file anywhere on this page, drop it below, or choose it. You see what would change before you apply it."
    >
      <Textarea
        label="Zone file"
        placeholder={'$ORIGIN example.com.\nwww 300 IN A 192.0.2.1'}
        value={text}
        error={unread}
        autosize
        minRows={6}
        maxRows={18}
        spellCheck={false}
        className={isOver ? 'drop-here' : ''}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.85rem' } }}
        onChange={({ currentTarget, nativeEvent }) => {
          const isPasted = nativeEvent instanceof InputEvent && nativeEvent.inputType === 'insertFromPaste'
          if (isPasted) receive(currentTarget.value)
          else take(currentTarget.value)
        }}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          void takeFile(event.dataTransfer.files[0])
        }}
      />
      <Radio.Group
        label="Records that are not in the file"
        value={mode}
        onChange={(value) => take(text, value as Mode)}
      >
        <Group mt={4}>
          <Radio value="merge" label="Keep them" />
          <Radio value="replace" label="Delete them" />
        </Group>
      </Radio.Group>
      <Group>
        <Button
          variant={change.seen ? 'default' : 'filled'}
          disabled={text.trim() === ''}
          loading={change.isPreviewing}
          onClick={change.preview}
        >
          Show what would change
        </Button>
        <FileButton accept=".zone,.dns,.txt,.db,text/plain,text/dns" onChange={(file) => void takeFile(file)}>
          {(props) => (
            <Button variant="default" {...props}>
              Choose a file
            </Button>
          )}
        </FileButton>
      </Group>
      <MovedNote of={change} />
      {change.seen && (
        <Stack gap="sm" ref={preview} style={{ scrollMarginBottom: 16 }}>
          <PreviewOf result={change.seen} zone={name} />
          <Failure error={change.error} />
          {change.seen.errors.length === 0 && change.seen.diff.changes.length > 0 && (
            <Group>
              <MainButton loading={change.isApplying} onClick={change.apply}>
                {change.seen.diff.changes.length === 1
                  ? 'Apply this change'
                  : `Apply these ${change.seen.diff.changes.length} changes`}
              </MainButton>
            </Group>
          )}
        </Stack>
      )}
      {!change.seen && <Failure error={change.error} />}
    </Section>
  )
}

const mostFaults = 50

function PreviewOf({ result, zone }: { result: Answer<'importZone'>; zone: string }) {
  return (
    <Stack gap="sm">
      {result.errors.length > 0 && (
        <Alert color="red" variant="light" title="The file has faults: correct them first" role="alert">
          <List size="sm">
            {result.errors.slice(0, mostFaults).map(({ line, message }) => (
              <List.Item key={`${line} ${message}`}>
                Line {line}: <Marked text={message} />
              </List.Item>
            ))}
          </List>
          <More count={result.errors.length - mostFaults} />
        </Alert>
      )}
      {result.ignored.length > 0 && (
        <Alert color="gray" variant="light" title="Left out">
          <List size="sm">
            {result.ignored.map(({ line, name, type, reason }) => (
              <List.Item key={`${line} ${name} ${type}`}>
                Line {line}, {name} {type}: {reason}
              </List.Item>
            ))}
          </List>
          <More count={result.ignored_count - result.ignored.length} />
        </Alert>
      )}
      {result.adapted.length > 0 && (
        <Alert color="gray" variant="light" title="Adapted">
          <List size="sm">
            {result.adapted.map(({ line, code, message, reason }) => (
              <List.Item key={`${line} ${code} ${message}`}>
                Line {line}: <Marked text={`${message} ${reason}`} />
              </List.Item>
            ))}
          </List>
          <More count={result.adapted_count - result.adapted.length} />
        </Alert>
      )}
      <WarningList warnings={result.warnings} title="Check this before you import" />
      {result.errors.length === 0 && <DiffView changes={result.diff.changes} zone={zone} />}
    </Stack>
  )
}

/** Says that a list has more entries than are shown. */
function More({ count }: { count: number }) {
  if (count <= 0) return null
  return (
    <Text size="sm" mt="xs">
      And {count.toLocaleString('en')} more.
    </Text>
  )
}
