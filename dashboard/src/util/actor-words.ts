/** Kinds of whoever changes something, as people say them. */
export const actorWords = { session: 'person', key: 'API key', system: 'service', operator: 'operator' } as const
