/** Changes in one bulk request. */
export const maxChangesPerRequest = 1_000
/** Record sets in one replacement of a whole zone. */
export const maxRrsetsPerRequest = 10_000
/** An imported zone file may be this large; other bodies 1 MiB. */
export const maxImportBytes = 16 * 1024 * 1024
