/** Its place among final blocks. */
export const SCANNER = 'deposits';
