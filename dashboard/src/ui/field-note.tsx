import { Loader, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon } from './icons.tsx'

/** What is known about a name, and whether that is good for the person who types it. */
export interface Note {
  readonly tone: 'good' | 'warning' | 'bad'
  readonly text: ReactNode
}

/** The line below a field that says what is known about the name in it so far. */
export function FieldNote({ id, isChecking, note }: { id: string; isChecking: boolean; note: Note | undefined }) {
  return (
    <Text size="sm" id={id} role="status" aria-live="polite" className="field-note">
      {isChecking && note === undefined && <Loader size="xs" aria-label="Checking the name" />}
      {note && (
        <span className={`note-${note.tone}`}>
          <Icon name={note.tone === 'good' ? 'check' : 'warning'} size={14} /> <span>{note.text}</span>
        </span>
      )}
    </Text>
  )
}
