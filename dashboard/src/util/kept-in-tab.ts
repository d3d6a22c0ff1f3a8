import { Bell } from './bell.ts'

/** What the tab keeps for the signed-in person, so that a reload loses nothing. */
const prefix = 'zonewright-kept:'

/** What is kept at a place; undefined: nothing. */
export function keptAt<T>(place: string): T | undefined {
  const text = sessionStorage.getItem(prefix + place)
  return text === null ? undefined : (JSON.parse(text) as T)
}

/** Undefined: deletes what is kept there. */
export function keepAt(place: string, value: unknown): void {
  if (value === undefined) sessionStorage.removeItem(prefix + place)
  else sessionStorage.setItem(prefix + place, JSON.stringify(value))
}

/** Deletes everything, because someone else may sign in. */
export function forgetKept(): void {
  for (const place of Object.keys(sessionStorage)) if (place.startsWith(prefix)) sessionStorage.removeItem(place)
  keptForgotten.tell()
}

/** Reports that everything was deleted. Work in the background must end. */
export const keptForgotten = new Bell()
