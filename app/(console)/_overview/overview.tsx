"use client";
import { PageHeader } from "@/components/ui/page-header";
export function Overview() { return <PageHeader title="Overview" />; }
