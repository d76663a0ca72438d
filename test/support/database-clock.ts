/** One statement for each function that statements ask for the time; by the search path they come before the server's own. */
export function clockFunctions(schema: string, transaction: string, clock: string): string[] {
  return [
    `create function ${schema}.now() returns timestamptz language sql stable as $$ select ${transaction} $$`,
    `create function ${schema}.clock_timestamp() returns timestamptz language sql volatile as $$ select ${clock} $$`,
    `create function ${schema}.statement_timestamp() returns timestamptz language sql stable as $$ select ${clock} $$`,
  ];
}
