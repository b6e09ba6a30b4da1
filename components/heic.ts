/** True for a HEIC picture, as an iPhone takes them, which most browsers cannot read. */
export const isHeic = ({ type, name }: File): boolean => /^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name);
