export const PANEL_ACCESS = 'panel-access';

/** Whom a page is for. */
export type PanelAccess = 'anyone' | 'user' | 'operator';
