/** SQL, a boolean: the server of this session can be written. A standby cannot, nor one that is still being restored. */
export const isWritableHere = `current_setting('transaction_read_only') = 'off'`
