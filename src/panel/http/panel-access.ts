export const PANEL_ACCESS = 'panel-access';

/** Who may open a page. */
export type PanelAccess = 'anyone' | 'user' | 'operator';
