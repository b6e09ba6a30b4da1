"use client";
import { NotChecked } from "@/components/public/not-checked";

export default NotChecked;
