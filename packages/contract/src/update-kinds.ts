/** What a hint of the stream of updates can be about. */
export const updateKinds = ['zones', 'records', 'deliveries', 'orders', 'domains', 'keys'] as const

export type UpdateKind = (typeof updateKinds)[number]
